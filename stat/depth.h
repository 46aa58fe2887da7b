/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How many requests are under way, over a window of time: each from one moment
 * (its D) to another (its C), reported at its end or later.
 *
 * Sums are exact in any order.  For the most at a time, and for the time with
 * any, the last 1,024 reported are put in the order of their ends; one that is
 * reported even later makes these two inexact.
 *
 * One whose begin was not seen is under way from the window's begin (0 will
 * do), one that is not over to its end.
 */
#ifndef STAT_DEPTH_H
#define STAT_DEPTH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/wide.h"
#include "stat/idle.h"
#include "stat/peak.h"

enum {
	DEPTH_HELD = 1024,	/* that wait for their order */
	DEPTH_STEPS = 1 << 20,	/* bound of struct peak: half of it is exact */
	DEPTH_GAPS = 1 << 13,	/* of struct idle */
};

/* the result for a window; times in ns */
struct depth_row {
	uint64_t from, to;
	struct wide integral;	/* of how many over time */
	uint64_t busy;		/* time with any */
	uint32_t most;		/* at a time */
	bool exact;		/* busy and most; else they are at least that */
	bool doubtful;		/* so is integral: more may have been under
				 * way */
};

struct depth_span {
	uint64_t from, to;
};

struct depth {
	uint64_t from, to;	/* the window */
	bool no_most;		/* is not asked for: the caller's */

	/* depth.c's */
	struct wide integral;
	struct peak peak;
	struct idle idle;
	uint64_t ordered;	/* end of the last that got its order */
	bool doubtful;
	bool late;		/* one came too late for that, or not at all */
	struct depth_span *held;	/* by their ends, from head to tail */
	size_t head, tail, size;
};

/* the window is from one moment, up to another or UINT64_MAX */
void depth_init(struct depth *d, uint64_t from, uint64_t to);

/*
 * One was under way from one moment up to another; outside of the window it
 * does not count.  0, or -ENOMEM.
 */
int depth_add(struct depth *d, uint64_t from, uint64_t to);

/* Another one may be under way: nothing is exact. */
static inline void depth_doubt(struct depth *d)
{
	d->late = d->doubtful = true;
}

/*
 * Writes the result to *row; the window ends at end, which is not before the
 * end of any that was added, or where it ends itself if that is earlier.  More
 * may be added.  0, or -ENOMEM.
 */
int depth_read(struct depth *d, uint64_t end, struct depth_row *row);

void depth_free(struct depth *d);

/* how many at a time on the average, times scale; 0 if no time has passed */
uint64_t depth_mean(const struct depth_row *row, uint32_t scale);

#endif
