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
	TOUCHES_COLUMNS = 2048,	/* half are used, unless all is over in 2 ms */
	TOUCHES_ROWS = 32768,	/* maximum */
	TOUCHES_ROWS_MIN = 64,
	TOUCHES_CLASSES = 3,
};

struct touches {
	uint64_t from, width;	/* first column's start, width, ns */
	uint64_t base, height;	/* first row's start, height, sectors */
	uint64_t low, high;	/* sectors seen, high excluded */
	unsigned int rows;	/* a power of two */
	uint64_t *bits;		/* NULL while empty */
	bool *used;		/* by column, whether it has bits */
};

/* The first column starts at from.  Allocates nothing. */
void touches_init(struct touches *t, uint64_t from);

/* Limits rows to a power of two, from TOUCHES_ROWS_MIN.  0, or -ENOMEM. */
int touches_limit(struct touches *t, unsigned int rows);

/* Adds m, unless before the first column; class: < TOUCHES_CLASSES.  0,
 * -ENOMEM. */
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
