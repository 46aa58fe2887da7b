/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where on a device something happened, and when: counts of a class in cells
 * of equal time and equal offsets, only those that have any.
 *
 * Memory is bounded for traces and devices of any length: when time or offsets
 * go beyond RASTER_SIDE cells each two become one, and when there are more than
 * RASTER_CELLS the side is halved.
 */
#ifndef STAT_RASTER_H
#define STAT_RASTER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/hash.h"

enum {
	RASTER_SIDE = 4096,	/* columns and rows at first */
	RASTER_SIDE_MIN = 64,	/* and in the end: here cells are not counted */
	RASTER_CELLS = 1 << 18,
	RASTER_CLASSES = 1 << 16,
};

struct raster {
	uint64_t from, width;	/* of the first column; of each; in ns */
	uint64_t base, height;	/* of the first row; of each; in sectors */
	uint64_t low, high;	/* sectors: all that there is, high is behind */
	unsigned int side;	/* columns and rows at most, a power of two */
	struct hash cells;	/* numbers of counts */
	uint64_t *counts;
	size_t room;		/* of counts */
	bool any;
};

/* all that happened at a time, on sectors from one up to another */
struct raster_mark {
	uint64_t time;
	uint64_t sector, end;
	unsigned int class;	/* below RASTER_CLASSES */
};

/* The first column begins at from.  Nothing is allocated yet. */
void raster_init(struct raster *r, uint64_t from);

/* What was before the first column is left out.  0, or -ENOMEM. */
int raster_add(struct raster *r, const struct raster_mark *m);

/* a cell: column and row by what they begin with */
struct raster_cell {
	uint64_t time, sector;	/* it has the raster's width and height */
	unsigned int class;
	uint64_t count;
};

/* calls each for all cells, in no order */
void raster_each(const struct raster *r,
		 void (*each)(void *ctx, const struct raster_cell *c),
		 void *ctx);

void raster_free(struct raster *r);

#endif
