/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A linear axis: maps numbers to places, with ticks at round numbers, 1, 2, 2.5
 * or 5 times a power of ten apart.
 */
#ifndef STAT_SCALE_H
#define STAT_SCALE_H

#include <stdint.h>

/* --- bins ----------------------------------------------------------------- */

/* A histogram in few rows, at steps of round numbers. */

struct histogram;		/* base/histogram.h */

enum { BINS_MAX = 120 };

struct bin {
	uint64_t from, to;	/* from <= n < to */
	uint64_t count;
	uint64_t up_to;		/* count of this row and those before */
};

struct bins {
	unsigned int count;
	uint64_t total, most;	/* of all rows; of the largest */
	struct bin rows[BINS_MAX];
};

/*
 * At most this many rows, from the least to the greatest number of *h, by the
 * finest ladder possible from 1-1.5-2-3-5-7 on.  A cell in two rows counts
 * where its middle is.
 */
void bins_make(struct bins *b, const struct histogram *h, unsigned int rows);

/* --- steps ---------------------------------------------------------------- */

/* Ladders of round numbers over 64 bits, from fine to coarse.  Each has all
 * steps of the coarser ones, so finer counts can be added up to coarser. */
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

/* The least integer of a step, from 1; UINT64_MAX: beyond the last.  Step 1.5
 * starts at 2 and is empty. */
uint64_t steps_low(enum steps kind, unsigned int step);

/* the step of a number; 0 counts as 1 */
unsigned int steps_find(enum steps kind, uint64_t value);

/* the finest ladder, from kind on, that needs at most steps (from 1) */
enum steps steps_choose(enum steps kind, uint64_t low, uint64_t high,
			unsigned int steps);

/* --- scale ---------------------------------------------------------------- */

struct scale {
	double low, high;	/* ends of the axis; low < high */
	double from, to;	/* their places */
	double step;		/* between ticks */
	double first;		/* tick */
	unsigned int ticks;	/* number of ticks */
	unsigned int decimals;	/* for the number of a tick */
};

/* maximum of ticks */
enum { SCALE_TICKS = 64 };

/* Sets an axis with these ends and at most this many ticks, 2 to SCALE_TICKS.
 * Ends that are not numbers, or not in order, become 0 and 1. */
void scale_set(struct scale *s, double low, double high, unsigned int ticks);

/* the same from 0 to the first tick that is not below high */
void scale_set_up_to(struct scale *s, double high, unsigned int ticks);

/* sets the places of both ends */
void scale_place(struct scale *s, double from, double to);

/* the place of a number; beyond an end, that end's */
double scale_at(const struct scale *s, double value);

/* the number of a tick, counted from 0 */
double scale_tick(const struct scale *s, unsigned int tick);

#endif
