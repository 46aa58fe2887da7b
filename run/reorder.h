/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Live order: one stream of many CPUs and devices, as `blktrace -o -` writes
 * it, put in time order as it arrives.
 *
 * Each CPU's part comes in blocks, so events are held until the newest time
 * read anywhere is REORDER_HOLD later: trace time, not ours.  They also go when
 * the input has been silent for that long (the only clock used), when it has
 * ended, and when too many are held.  What comes later still is shown at once
 * and counted.  REORDER_HOLD is twice the longest pause that blktrace makes
 * between two reads of a CPU: the two belong together.
 *
 * A regular file is read without waiting: there, events are held until there
 * are too many, so that CPUs' files one after the other come out in order, too.
 */
#ifndef RUN_REORDER_H
#define RUN_REORDER_H

#include <stdbool.h>
#include <stdint.h>

struct devices;			/* run/device.h */
struct event;			/* record/record.h */
struct hooks;			/* file/hooks.h */
struct lane;			/* run/device.h */
struct reorder;
struct source;			/* file/source.h */
struct stream;			/* file/stream.h */

#define REORDER_HOLD 500000000u	/* ns */

enum {
	REORDER_SILENCE = 500,		/* ms */
	REORDER_EVENTS = 262144,	/* held at most, by default */
	REORDER_PAYLOADS = 4 << 20,	/* bytes of long payloads held */
};

struct reorder_options {
	const char *name;	/* for reports; stays the caller's */
	uint32_t events;	/* bound of events held; 0: REORDER_EVENTS */
	uint16_t origin;	/* of all its events */
	int filtered;		/* a dump: holes in its numbers are no loss */
	uint32_t player;	/* of all lanes that it makes: see device.h */
	bool timed;		/* as streams have it */
	int quiet_ms;		/* silence before -EAGAIN; 0: REORDER_SILENCE */
};

/*
 * Takes src over, also on failure; devices and lanes are made in *devices as
 * they appear.  NULL: out of memory.
 */
struct reorder *reorder_new(struct source *src, struct devices *devices,
			    const struct reorder_options *o,
			    const struct hooks *hooks);

/*
 * 1: *ev is next, good until the next call; 0: end; -EAGAIN: nothing yet and
 * nothing held; -EINTR: a signal came while waiting, or much was read and no
 * event in it; -ENOMEM.
 */
int reorder_next(struct reorder *l, struct event **ev);

/* the event of a lane that is next, of those held: good until the next
 * reorder_next(); NULL: none is held */
const struct event *reorder_front(const struct reorder *l,
				  const struct lane *lane);

/* no event before this time is expected any more */
uint64_t reorder_watermark(const struct reorder *l);

/* how many events were shown later than one that should have followed */
uint64_t reorder_late(const struct reorder *l);

/* as stream_stop() */
void reorder_stop(struct reorder *l);

/* as source_progress() of its source */
void reorder_progress(const struct reorder *l, uint64_t *done,
		      uint64_t *total);

/* frees l and its source; NULL is fine */
void reorder_free(struct reorder *l);

#endif
