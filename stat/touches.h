/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which parts of a device had events, and when: a bit for each class, column of
 * time, and row of offsets.  It has no counts, unlike a raster, but always many
 * columns, for moving pictures.
 *
 * Memory is bounded: beyond the last column or row, these are joined in pairs.
 * All bits are 24 MiB at most, and pages without events take no memory.
 */
#ifndef STAT_TOUCHES_H
#define STAT_TOUCHES_H

#include <stdbool.h>
#include <stdint.h>

struct raster_mark;		/* stat/raster.h */

enum {
	TOUCHES_COLUMNS = 2048,	/* more than half are in use, unless all is
				 * over in 2 ms */
	TOUCHES_ROWS = 32768,	/* maximum */
	TOUCHES_ROWS_MIN = 64,
	TOUCHES_CLASSES = 3,
};

struct touches {
	uint64_t from, width;	/* start of the first column, width of each,
				 * ns */
	uint64_t base, height;	/* start of the first row, height of each,
				 * sectors */
	uint64_t low, high;	/* sectors seen, high excluded */
	unsigned int rows;	/* a power of two */
	uint64_t *bits;		/* NULL while empty */
	bool *used;		/* by column, if it has any bits; allocated
				 * after bits */
};

/* The first column starts at from.  Allocates nothing. */
void touches_init(struct touches *t, uint64_t from);

/* Limits the rows, for many devices, to a power of two from TOUCHES_ROWS_MIN
 * on.  0, or -ENOMEM. */
int touches_limit(struct touches *t, unsigned int rows);

/* Ignores time before the first column.  m->class: below TOUCHES_CLASSES.  0,
 * or -ENOMEM. */
int touches_add(struct touches *t, const struct raster_mark *m);

/* consecutive rows, to excluded */
struct touches_run {
	unsigned int from, to;
};

/* The next run after *run, which is { 0, 0 } at first; false: no more. */
bool touches_next(const struct touches *t, unsigned int class,
		  unsigned int column, struct touches_run *run);

void touches_free(struct touches *t);

#endif
