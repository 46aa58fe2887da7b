/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Requests in flight over a window, each from its D to its C, added when it
 * ends or later.
 *
 * The mean is exact in any order.  For the maximum and the busy time, the last
 * 1,024 added are sorted by their ends; one added even later makes these two
 * inexact.
 *
 * A request whose start was not seen starts with the window (0 will do); one
 * that has not ended ends with it.
 */
#ifndef STAT_DEPTH_H
#define STAT_DEPTH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/wide.h"

/* --- idle ----------------------------------------------------------------- */

/*
 * Time without any interval.  Intervals come in order of their ends.
 *
 * The gaps so far are kept, as a long interval may still cover the latest of
 * them.  If there are too many, older ones are joined in pairs, which is exact
 * unless an interval starts within a pair.
 */

struct idle_gap {
	uint64_t from, to;
	uint64_t idle;		/* its length, or less for a pair */
};

struct idle {
	uint64_t sum;		/* result, to the end of the last interval */
	bool exact;		/* else sum is an upper bound */

	/* private */
	uint64_t end;		/* of the last interval */
	struct idle_gap *gaps;
	size_t count, size, max;
};

/* time starts at from; keeps at most max gaps (4 at least) of 24 bytes */
void idle_init(struct idle *i, uint64_t from, size_t max);

/* Adds an interval; to is above from, and never decreases.  0, or -ENOMEM. */
int idle_add(struct idle *i, uint64_t from, uint64_t to);

void idle_free(struct idle *i);

/* --- peak ----------------------------------------------------------------- */

/*
 * The most intervals at a time.  Intervals come in order of their ends.
 *
 * An interval raises every moment after its start, so a moment can only become
 * the highest if it is higher than all later ones.  These moments are kept as
 * descending steps, at most as many as the maximum.
 */

struct peak_step {
	uint64_t end;		/* last moment of the step */
	uint32_t drop;		/* height above the next step; 0: unused */
	int32_t left;		/* if unused: where to search on the left */
};

struct peak {
	uint32_t most;		/* the result */
	bool exact;		/* else most is a lower bound */

	/* private */
	uint32_t first;		/* height of the first step */
	uint64_t forgotten;	/* end of the dropped steps */
	struct peak_step *steps;
	size_t count, size, max;
	size_t gone;		/* unused steps */
};

/* keeps at most max steps (from 2) of 16 bytes; exact to a depth of max / 2 */
void peak_init(struct peak *p, size_t max);

/* Adds an interval; to is above from, and never decreases.  0, or -ENOMEM. */
int peak_add(struct peak *p, uint64_t from, uint64_t to);

void peak_free(struct peak *p);

/* --- depth ---------------------------------------------------------------- */

enum {
	DEPTH_HELD = 1024,	/* waiting to be sorted */
	DEPTH_STEPS = 1 << 20,	/* of struct peak, which is exact up to half */
	DEPTH_GAPS = 1 << 13,	/* of struct idle */
};

/* result for a window; times in ns */
struct depth_row {
	uint64_t from, to;
	struct wide integral;	/* depth times ns */
	uint64_t busy;		/* time with any in flight */
	uint32_t most;		/* at a time */
	bool exact;		/* busy and most are; else lower bounds */
	bool doubtful;		/* integral is a lower bound, too */
};

struct depth_span {
	uint64_t from, to;
};

struct depth {
	uint64_t from, to;	/* the window */
	bool no_most;		/* skip the maximum; set by the caller */

	/* private */
	struct wide integral;
	struct peak peak;
	struct idle idle;
	uint64_t ordered;	/* end of the last one sorted */
	bool doubtful;
	bool late;		/* some were not sorted, or are missing */
	struct depth_span *held;	/* by their ends, from head to tail */
	size_t head, tail, size;
};

/* to may be UINT64_MAX */
void depth_init(struct depth *d, uint64_t from, uint64_t to);

/* Adds a request; time outside of the window does not count.  0, or -ENOMEM. */
int depth_add(struct depth *d, uint64_t from, uint64_t to);

/* Another request may be in flight: nothing is exact. */
static inline void depth_doubt(struct depth *d)
{
	d->late = d->doubtful = true;
}

/*
 * Writes the result to *row for the window up to end, or to its own end if that
 * is earlier.  No request added may end after end.  More may be added later.
 * 0, or -ENOMEM.
 */
int depth_read(struct depth *d, uint64_t end, struct depth_row *row);

void depth_free(struct depth *d);

/* mean depth times scale; 0 if no time has passed */
uint64_t depth_mean(const struct depth_row *row, uint32_t scale);

#endif
