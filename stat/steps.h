/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Ladders of round numbers that cover all of 64 bits: 1-2-5 and finer and
 * coarser ones.  Each has all the steps of those that are coarser, so what is
 * counted by one can be added up to another.
 */
#ifndef STAT_STEPS_H
#define STAT_STEPS_H

#include <stdint.h>

/* --- bins ----------------------------------------------------------------- */

/*
 * A histogram in few rows, by steps of round numbers.
 */

struct histogram;		/* base/histogram.h */

enum { BINS_MAX = 120 };

struct bin {
	uint64_t from, to;	/* what is in it: from <= n < to */
	uint64_t count;
	uint64_t up_to;		/* count of this one and those before it */
};

struct bins {
	unsigned int count;
	uint64_t total, most;	/* of all rows; of one */
	struct bin rows[BINS_MAX];
};

/*
 * The rows of *h from its least to its greatest number, so many at most: the
 * finest of 1-1.5-2-3-5-7, 1-2-5, 1 a decade and coarser.  A cell of *h which
 * is in two of them counts where its middle is.
 */
void bins_make(struct bins *b, const struct histogram *h, unsigned int rows);

/* --- steps ---------------------------------------------------------------- */

/* from fine to coarse */
enum steps {
	STEPS_24,		/* a decade */
	STEPS_6,		/* 1-1.5-2-3-5-7 */
	STEPS_3,		/* 1-2-5 */
	STEPS_1,
	STEPS_HALF,		/* 1, 100 */
	STEPS_QUARTER,		/* 1, 10,000 */
	STEPS_NONE,		/* one for all */
	STEPS_KINDS
};

/* steps of the finest ladder */
enum { STEPS_MAX = 20 * 24 };

unsigned int steps_count(enum steps kind);

/*
 * The least whole number of a step, from 1; 1.5 begins at 2 and is empty.
 * UINT64_MAX: beyond the last.
 */
uint64_t steps_low(enum steps kind, unsigned int step);

/* the step that a number is in; 0 counts as 1 */
unsigned int steps_find(enum steps kind, uint64_t value);

/* the finest ladder, from kind on, that has low to high in so many steps, at
 * least 1 */
enum steps steps_choose(enum steps kind, uint64_t low, uint64_t high,
			unsigned int steps);

#endif
