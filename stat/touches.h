/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which parts of a device something happened to, and when: a bit for each
 * class, column of time, and row of offsets.  Unlike a raster it says nothing
 * about how much that was, and always has many columns: for pictures that move.
 *
 * Memory is bounded: when time goes beyond the last column, or offsets beyond
 * the last row, each two become one.  All bits are 24 MiB at most, of which
 * those take memory in whose pages something happened.
 */
#ifndef STAT_TOUCHES_H
#define STAT_TOUCHES_H

#include <stdbool.h>
#include <stdint.h>

struct raster_mark;		/* stat/raster.h */

enum {
	TOUCHES_COLUMNS = 2048,	/* more than half of them are in use, unless
				 * all is over in 2 ms */
	TOUCHES_ROWS = 32768,	/* at most */
	TOUCHES_ROWS_MIN = 64,
	TOUCHES_CLASSES = 3,
};

struct touches {
	uint64_t from, width;	/* of the first column; of each; in ns */
	uint64_t base, height;	/* of the first row; of each; in sectors */
	uint64_t low, high;	/* sectors: all that there is, high is behind */
	unsigned int rows;	/* a power of two */
	uint64_t *bits;		/* NULL as long as there is nothing */
	bool *used;		/* whether a column has any; after the bits */
};

/* The first column begins at from.  Nothing is allocated yet. */
void touches_init(struct touches *t, uint64_t from);

/* No more than so many rows from now on, a power of two from TOUCHES_ROWS_MIN
 * on: where there are many devices each has fewer.  0, or -ENOMEM. */
int touches_limit(struct touches *t, unsigned int rows);

/* What was before the first column is left out; a class is below
 * TOUCHES_CLASSES.  0, or -ENOMEM. */
int touches_add(struct touches *t, const struct raster_mark *m);

/* rows that follow each other, from one and before another */
struct touches_run {
	unsigned int from, to;
};

/* The next run behind *run, which is { 0, 0 } at first; false: no more. */
bool touches_next(const struct touches *t, unsigned int class,
		  unsigned int column, struct touches_run *run);

void touches_free(struct touches *t);

#endif
