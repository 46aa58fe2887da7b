/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A heat map: counts of spans by length and end time.
 *
 * Memory is bounded: the number of columns is fixed, and when time exceeds
 * them, they are joined in pairs.  Rows are steps of a ladder; the cells of a
 * decade are allocated with its first span.  A heat_map, which is shown, is
 * folded from that.
 */
#ifndef STAT_HEAT_H
#define STAT_HEAT_H

#include <stdint.h>

#include "stat/scale.h"

struct heat;

/* events in a column */
enum heat_mark {
	HEAT_ERROR = 1,		/* an I/O failed */
	HEAT_LOST = 2,		/* records were lost */
	HEAT_REQUEUE = 4,
	HEAT_LABEL = 8,		/* has a mark (run/marks.h) */
};

struct heat_size {
	unsigned int columns;	/* a power of two, 2 at least */
	enum steps steps;	/* of rows: STEPS_24 or STEPS_6 */
	uint64_t from;		/* start of the first column, ns */
};

/* 2,048 columns fill at least 68 of 72 shown ones */
#define HEAT_SIZE ((struct heat_size){ 2048, STEPS_6, 0 })

/* 0 and *h, or -ENOMEM */
int heat_new(struct heat **h, const struct heat_size *size);

/* Adds a span, in any order, unless before the first column.  0, or -ENOMEM. */
int heat_add(struct heat *h, uint64_t time, uint64_t span);

void heat_mark(struct heat *h, uint64_t time, enum heat_mark mark);

/* extends the map to time */
void heat_end(struct heat *h, uint64_t time);

/* frees h; NULL is fine */
void heat_free(struct heat *h);

/* a map to show; rows from short to long spans */
struct heat_map {
	unsigned int columns, rows;
	uint64_t from, width;	/* first column's start, width of each, ns */
	enum steps steps;	/* of the rows */
	unsigned int step;	/* of the first row */
	uint64_t *counts;	/* [row * columns + column] */
	unsigned char *marks;	/* enum heat_mark of each column */
	unsigned char all_marks;	/* of all columns */
	uint64_t total, most;	/* of all cells; of the largest */
};

/*
 * A map of at most this many columns and rows, at least 1.  Columns have equal
 * time, so some at the end may be unused.  Without spans there are no rows.  0
 * and *m, which the caller frees; or -ENOMEM.
 */
int heat_map_make(struct heat_map *m, const struct heat *h,
		  unsigned int columns, unsigned int rows);

/* end of the map, ns */
uint64_t heat_map_end(const struct heat_map *m);

/* Shades by the logarithm of counts, from 1: start[i] is the least count of
 * shade i.  A shade that no count can have starts where the next does. */
void heat_map_shades(const struct heat_map *m, unsigned int shades,
		     uint64_t start[]);

void heat_map_free(struct heat_map *m);

#endif
