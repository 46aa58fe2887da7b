/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The order of flushes and of what changes a device, as it was recorded.
 *
 * A flush makes lasting what had completed before it, so it must not be sent
 * before that has come back.  A recording may be without completions: a flush
 * waits for all changes that were queued before it.  A change that was queued
 * after a flush had completed waits until that has come back, as its sender
 * may have; so it does if the recording has when flushes had completed.  Reads
 * wait for nothing.
 *
 * How: an order knows beforehand, from all files of a device, when flushes
 * were queued (its moments), how many changes lie between two of them, and
 * when flushes had completed.  During a replay it counts down what is left
 * before each moment.  What must wait is held, and released by the thread
 * whose I/O was waited for: nobody sleeps.
 *
 * No circle: all that is waited for has a lesser time.  So that this holds
 * within a file, too, times there are made to ascend (struct order_place).
 */
#ifndef TOOLS_BTREPLAY_ORDER_H
#define TOOLS_BTREPLAY_ORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/histogram.h"

/* --- order ---------------------------------------------------------------- */

struct order;

/* where a flush or a change is in the order: a part of the I/O's own struct */
struct order_item {
	uint32_t moment;	/* of a flush: its own; of a change: how many
				 * moments are before it */
	uint32_t flushed;	/* the flushes of so many moments come first */
	bool flush;
	uint64_t due;		/* ns of CLOCK_MONOTONIC; 0: at once */
	/* order.c's, while it is held */
	struct order_item *before, *after;
};

/* how far a file has been read; all zeros at its beginning */
struct order_place {
	uint64_t time;		/* ns, of the last I/O that has a place */
	uint32_t moment;	/* those before it */
	uint32_t own;		/* moments until the file's last flush */
	size_t end;		/* ends of flushes before it */
	bool begun;
};

/*
 * Releases an item that was held: it is to be sent now.  Called by any thread
 * that calls order_leave(), without a lock.
 */
typedef void order_release(struct order_item *i);

/* NULL: no memory */
struct order *order_new(order_release *release);

void order_free(struct order *o);

/* --- before the replay: two passes over each file in turn ---------------- */

/* the place of the next flush, change or end in a file, recorded at time */
void order_step(struct order_place *at, uint64_t time);

/*
 * First pass: a flush is there; its end may be recorded, or it is one before a
 * write, whose end is not.  0 or -ENOMEM.
 */
int order_add_flush(struct order *o, const struct order_place *at,
		    bool may_end);

/* first pass: the count oldest flushes had completed there; 0 or -ENOMEM */
int order_add_end(struct order *o, const struct order_place *at,
		  uint32_t count);

/* between the passes; 0 or -ENOMEM */
int order_sort(struct order *o);

/*
 * Second pass, and again in the replay itself: fills *i for a flush, or for a
 * change; behind: a flush right before it must have come back.
 */
void order_place_flush(const struct order *o, struct order_place *at,
		       struct order_item *i);
void order_place_change(const struct order *o, struct order_place *at,
			bool behind, struct order_item *i);

/* second pass: such an item will come once in each iteration */
void order_expect(struct order *o, const struct order_item *i);

/* --- the replay, by many threads ----------------------------------------- */

/* begins an iteration: all that is expected is left again */
void order_begin(struct order *o);

/* whether nothing of this iteration is left */
bool order_is_done(struct order *o);

/* true: i may be sent; false: it is held, and will be released */
bool order_enter(struct order *o, struct order_item *i);

/* i has come back, or will never be sent */
void order_leave(struct order *o, struct order_item *i);

/* the replay ends: what is held is given to drop() instead */
void order_abandon(struct order *o, order_release *drop);

/* when the last item was released, ns of CLOCK_MONOTONIC; 0: none was */
uint64_t order_last(struct order *o);

/* ns that items were released after they were due; after the replay */
const struct histogram *order_held(const struct order *o);

/* --- order read ----------------------------------------------------------- */

/*
 * The order of a device's flushes and changes, read from its replay files.
 */

struct job;			/* tools/btreplay/job.h */
struct packet;			/* replay/bunch.h */
struct replay_options;		/* tools/btreplay/options.h */

/*
 * The order of what is sent to one of the job's devices.  0 and *o, which is
 * NULL if no flush is sent; or, reported on stderr, -1: no memory, or a file
 * could not be read again.  All files are rewound.
 */
int order_read(struct order **o, const struct job *l, unsigned int target,
	       const struct replay_options *options, order_release *release);

/* whether that is a flush, the end of some, or a change that is sent */
bool order_read_counts(const struct packet *p,
		       const struct replay_options *options);

/*
 * The places of a packet that counts, of a bunch of that time: how many.  None
 * of the end of flushes; of a write with a flush before it two, the flush's
 * first.  All packets of a file that count are to be given, in their order.
 */
unsigned int order_read_places(const struct order *o, struct order_place *at,
			       uint64_t time, const struct packet *p,
			       struct order_item places[2]);

#endif
