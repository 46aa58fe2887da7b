/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The recorded order of flushes and changes of a device.
 *
 * A flush makes writes durable that completed before it, so it must be sent
 * after they have come back.  As a recording may lack completions, a flush
 * waits for all changes queued before it.  A change queued after a flush had
 * completed waits for that flush, as its sender may have, if the recording has
 * the ends of flushes.  Reads never wait.
 *
 * An order knows from all files of a device when flushes were queued (moments),
 * the number of changes between them, and when flushes had completed.  A replay
 * counts down what is left before each moment.  Items that must wait are held,
 * and released by the thread whose I/O they wait for: no thread sleeps.
 *
 * There is no deadlock, as items wait only for earlier ones; within a file,
 * times are made ascending (struct order_place).
 */
#ifndef TOOLS_BTREPLAY_ORDER_H
#define TOOLS_BTREPLAY_ORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/histogram.h"

/* --- order ---------------------------------------------------------------- */

struct order;

/* a flush's or change's place in the order, a member of the I/O's struct */
struct order_item {
	uint32_t moment;	/* of a flush: its own; of a change: number of
				 * moments before it */
	uint32_t flushed;	/* waits for the flushes of these moments */
	bool flush;
	uint64_t due;		/* ns of CLOCK_MONOTONIC; 0: at once */
	/* for order.c, while held */
	struct order_item *before, *after;
};

/* the position in a file; all zero at its start */
struct order_place {
	uint64_t time;		/* ns, of the last I/O with a place */
	uint32_t moment;	/* moments before it */
	uint32_t own;		/* moments up to the file's last flush */
	size_t end;		/* ends of flushes before it */
	bool begun;
};

/* a held item must be sent now; called by any thread in order_leave(), without
 * a lock */
typedef void order_release(struct order_item *i);

/* NULL: no memory */
struct order *order_new(order_release *release);

void order_free(struct order *o);

/* --- before the replay: two passes over each file in turn ---------------- */

/* the place of the next flush, change or end in a file, recorded at time */
void order_step(struct order_place *at, uint64_t time);

/* first pass: adds a flush, whose end may be recorded, or one before a write,
 * whose end is not; 0 or -ENOMEM */
int order_add_flush(struct order *o, const struct order_place *at,
		    bool may_end);

/* first pass: the count oldest flushes had completed; 0 or -ENOMEM */
int order_add_end(struct order *o, const struct order_place *at,
		  uint32_t count);

/* between the passes; 0 or -ENOMEM */
int order_sort(struct order *o);

/* second pass, and again during the replay: fills *i for a flush, or for a
 * change; behind: the change must wait for a flush right before it */
void order_place_flush(const struct order *o, struct order_place *at,
		       struct order_item *i);
void order_place_change(const struct order *o, struct order_place *at,
			bool behind, struct order_item *i);

/* second pass: expects the item once in each iteration */
void order_expect(struct order *o, const struct order_item *i);

/* --- the replay, by many threads ----------------------------------------- */

/* starts an iteration, with all expected items left */
void order_begin(struct order *o);

/* whether nothing of this iteration is left */
bool order_is_done(struct order *o);

/* true: send i; false: it is held, and will be released */
bool order_enter(struct order *o, struct order_item *i);

/* i has come back, or will never be sent */
void order_leave(struct order *o, struct order_item *i);

/* at the end of the replay: passes held items to drop() */
void order_abandon(struct order *o, order_release *drop);

/* the time of the last release, ns of CLOCK_MONOTONIC; 0: none */
uint64_t order_last(struct order *o);

/* ns from due to release of held items; after the replay */
const struct histogram *order_held(const struct order *o);

/* --- order read ----------------------------------------------------------- */

struct job;			/* tools/btreplay/job.h */
struct packet;			/* replay/bunch.h */
struct replay_options;		/* tools/btreplay/options.h */

/*
 * Reads the order of one of the job's devices from its replay files, which it
 * rewinds.  0 and *o, NULL: sends no flush; or, reported on stderr, -1: no
 * memory, or a file could not be read again.
 */
int order_read(struct order **o, const struct job *l, unsigned int target,
	       const struct replay_options *options, order_release *release);

/* whether it is a flush, flushes' end, or a change, and is sent */
bool order_read_counts(const struct packet *p,
		       const struct replay_options *options);

/*
 * The places of a packet that counts, in a bunch of that time; returns their
 * number: 0 for flushes' end, 2 for a write with a flush before it, the flush's
 * first.  Call for all such packets of a file, in order.
 */
unsigned int order_read_places(const struct order *o, struct order_place *at,
			       uint64_t time, const struct packet *p,
			       struct order_item places[2]);

#endif
