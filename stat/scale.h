/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A linear axis: numbers to places, with ticks at round numbers, 1, 2, 2.5 or
 * 5 times a power of ten apart.
 */
#ifndef STAT_SCALE_H
#define STAT_SCALE_H

#include <stdint.h>

/* --- steps ---------------------------------------------------------------- */

/*
 * Ladders of round numbers that cover all of 64 bits: 1-2-5 and finer and
 * coarser ones.  Each has all the steps of those that are coarser, so what is
 * counted by one can be added up to another.
 */

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

/* --- scale ---------------------------------------------------------------- */

struct scale {
	double low, high;	/* what the axis shows; low < high */
	double from, to;	/* the places of these two */
	double step;		/* between ticks, */
	double first;		/* the first of them, */
	unsigned int ticks;	/* so many */
	unsigned int decimals;	/* that a tick's number needs */
};

/* ticks that may be asked for at most */
enum { SCALE_TICKS = 64 };

/*
 * An axis of just these ends, with so many ticks inside at most, 2 to
 * SCALE_TICKS.  Ends that are no numbers, or not in order, become 0 and 1.
 */
void scale_set(struct scale *s, double low, double high, unsigned int ticks);

/* The same from 0 to a tick that is not below high: the last one. */
void scale_set_up_to(struct scale *s, double high, unsigned int ticks);

/* where the axis is */
void scale_place(struct scale *s, double from, double to);

/* the place of a number, at the nearer end if it is beyond */
double scale_at(const struct scale *s, double value);

/* the number of a tick, from 0 */
double scale_tick(const struct scale *s, unsigned int tick);

#endif
