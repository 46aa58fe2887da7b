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

/* --- idle ----------------------------------------------------------------- */

/*
 * How long no interval holds, found while they come in order of their ends,
 * whenever they began.
 *
 * The gaps so far are kept, as an interval may still cover the latest of them.
 * If they become too many, older ones are joined two by two; this is exact
 * unless an interval begins within such a pair.
 */

struct idle_gap {
	uint64_t from, to;
	uint64_t idle;		/* all of it, if it is no pair */
};

struct idle {
	uint64_t sum;		/* the result, up to the last interval's end */
	bool exact;		/* or there was less */

	/* idle.c's */
	uint64_t end;		/* of the last interval */
	struct idle_gap *gaps;
	size_t count, size, max;
};

/* time begins at from; at most max gaps are kept, 24 bytes each, 4 at least */
void idle_init(struct idle *i, uint64_t from, size_t max);

/*
 * An interval that holds from one moment up to another, which is later, and no
 * earlier than that of the interval before.  0, or -ENOMEM.
 */
int idle_add(struct idle *i, uint64_t from, uint64_t to);

void idle_free(struct idle *i);

/* --- peak ----------------------------------------------------------------- */

/*
 * How many intervals hold at a time at most, found while they come in order of
 * their ends, whenever they began.
 *
 * Each of them raises all that is behind its begin, so of two moments the
 * later is raised whenever the earlier is: only moments which are higher than
 * all later ones can ever be the highest.  These are kept, as steps that lead
 * down; they are at most as many as the highest is high.
 */

struct peak_step {
	uint64_t end;		/* the moment just before it */
	uint32_t drop;		/* how much it is above the next step; 0: it is
				 * none any more */
	int32_t left;		/* then: where to look for one on the left */
};

struct peak {
	uint32_t most;		/* the result */
	bool exact;		/* or there were more */

	/* peak.c's */
	uint32_t first;		/* height of the first step */
	uint64_t forgotten;	/* end of those that there was no room for */
	struct peak_step *steps;
	size_t count, size, max;
	size_t gone;		/* steps that are none any more */
};

/* at most max steps are kept, 16 bytes each, 2 at least; exact up to a depth of
 * half of it */
void peak_init(struct peak *p, size_t max);

/*
 * An interval that holds from one moment up to another, which is later, and no
 * earlier than that of the interval before.  0, or -ENOMEM.
 */
int peak_add(struct peak *p, uint64_t from, uint64_t to);

void peak_free(struct peak *p);

/* --- depth ---------------------------------------------------------------- */

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
