/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Puts a live stream of many CPUs and devices, as `blktrace -o -` writes it, in
 * time order.
 *
 * CPUs' events come in blocks, so each is held until the newest trace time is
 * REORDER_HOLD later, which is twice the longest pause of blktrace between two
 * reads of a CPU; of a packed stream, later still by the longest time that a
 * block spans.  All are released when the input is silent for REORDER_HOLD (by
 * our clock) or ends, and the earliest when too many are held.  An event that
 * is later than that is shown at once, and counted.
 *
 * From a regular file, events are held until there are too many, so that
 * concatenated files of CPUs are put in order, too.
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
	const char *name;	/* for reports; the caller's */
	uint32_t events;	/* most events held; 0: REORDER_EVENTS */
	uint16_t origin;	/* of all its events */
	int filtered;		/* a dump: holes in its numbers are no loss */
	uint32_t player;	/* of its lanes: see device.h */
	bool timed;		/* as in struct stream_options */
	int quiet_ms;		/* silence before -EAGAIN; 0: REORDER_SILENCE */
	int wait_ms;		/* longest wait before -EINTR; 0: no limit */
};

/* Takes src over, also on failure; adds to *devices.  NULL: out of memory. */
struct reorder *reorder_new(struct source *src, struct devices *devices,
			    const struct reorder_options *o,
			    const struct hooks *hooks);

/*
 * 1: *ev is next, valid until the next call; 0: end; -EAGAIN: silent, and no
 * event is held; -EINTR: a signal, a wait of wait_ms, or much was read without
 * an event; -ENOMEM.
 */
int reorder_next(struct reorder *l, struct event **ev);

/* the lane's next event, if one is held, or NULL; valid until the next
 * reorder_next() */
const struct event *reorder_front(const struct reorder *l,
				  const struct lane *lane);

/* all events before this time were shown, as far as can be expected */
uint64_t reorder_watermark(const struct reorder *l);

/* how many events were shown too late */
uint64_t reorder_late(const struct reorder *l);

/* as stream_stop() */
void reorder_stop(struct reorder *l);

/* as source_progress() of its source */
void reorder_progress(const struct reorder *l, uint64_t *done,
		      uint64_t *total);

/* frees l and its source; NULL is fine */
void reorder_free(struct reorder *l);

#endif
