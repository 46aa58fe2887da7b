/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A heat map: how many spans of which length ended when.
 *
 * Memory is bounded for traces of any length: there is a fixed number of
 * columns of equal time, and when time goes beyond the last one, each two
 * become one.  Rows are steps of a ladder; cells of a decade exist when one of
 * its spans is met.  What is shown is a map folded from that.
 */
#ifndef STAT_HEAT_H
#define STAT_HEAT_H

#include <stdint.h>

#include "stat/scale.h"

struct heat;

/* what happened in a column */
enum heat_mark {
	HEAT_ERROR = 1,		/* an io failed */
	HEAT_LOST = 2,		/* records were lost */
	HEAT_REQUEUE = 4,
	HEAT_LABEL = 8,		/* somebody has marked it (run/marks.h) */
};

struct heat_size {
	unsigned int columns;	/* a power of two, 2 at least */
	enum steps steps;	/* of rows: STEPS_24 or STEPS_6 */
	uint64_t from;		/* when the first column begins, in ns */
};

/* of 2,048 columns come at least 68 of 72 shown ones */
#define HEAT_SIZE ((struct heat_size){ 2048, STEPS_6, 0 })

/* 0 and *h, or -ENOMEM */
int heat_new(struct heat **h, const struct heat_size *size);

/* A span of so many ns ended at time, in any order; what was before the first
 * column is left out.  0, or -ENOMEM. */
int heat_add(struct heat *h, uint64_t time, uint64_t span);

void heat_mark(struct heat *h, uint64_t time, enum heat_mark mark);

/* the map reaches to time, if it does not already */
void heat_end(struct heat *h, uint64_t time);

/* frees h; NULL is fine */
void heat_free(struct heat *h);

/* what can be shown: rows from short to long spans */
struct heat_map {
	unsigned int columns, rows;
	uint64_t from, width;	/* of the first column; of each; in ns */
	enum steps steps;	/* of the rows, */
	unsigned int step;	/* the first one's */
	uint64_t *counts;	/* of row times columns + column */
	unsigned char *marks;	/* enum heat_mark, of columns */
	unsigned char all_marks;	/* of any */
	uint64_t total, most;	/* of all cells; of one */
};

/*
 * A map of so many columns and rows at most, at least 1; columns are of equal
 * time, so that some at the end may not be needed.  Of no spans it has no
 * rows.  0 and *m, which the caller frees; or -ENOMEM.
 */
int heat_map_make(struct heat_map *m, const struct heat *h,
		  unsigned int columns, unsigned int rows);

/* when the map ends, in ns */
uint64_t heat_map_end(const struct heat_map *m);

/*
 * The shades of a map, by the logarithm of the count: start[i] is the least
 * count of shade i, 0 to shades - 1, from 1.  A shade that no count can have
 * starts where the next one does.
 */
void heat_map_shades(const struct heat_map *m, unsigned int shades,
		     uint64_t start[]);

void heat_map_free(struct heat_map *m);

#endif
