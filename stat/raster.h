/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Counts by class, time and offset on a device, in cells of equal size; empty
 * cells are not stored.
 *
 * Memory is bounded: beyond RASTER_SIDE columns or rows, these are joined in
 * pairs, and beyond RASTER_CELLS cells the side is halved.
 */
#ifndef STAT_RASTER_H
#define STAT_RASTER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/hash.h"

enum {
	RASTER_SIDE = 4096,	/* initial columns and rows */
	RASTER_SIDE_MIN = 64,	/* the least; cells are not limited then */
	RASTER_CELLS = 1 << 18,
	RASTER_CLASSES = 1 << 16,
};

struct raster {
	uint64_t from, width;	/* first column's start, width, ns */
	uint64_t base, height;	/* first row's start, height, sectors */
	uint64_t low, high;	/* sectors seen, high excluded */
	unsigned int side;	/* most columns and rows, a power of two */
	struct hash cells;	/* of indices in counts */
	uint64_t *counts;
	size_t room;		/* of counts */
	bool any;
};

/* an event on the sectors from sector to end, excluded */
struct raster_mark {
	uint64_t time;
	uint64_t sector, end;
	unsigned int class;	/* below RASTER_CLASSES */
};

/* The first column starts at from.  Allocates nothing. */
void raster_init(struct raster *r, uint64_t from);

/* Ignores time before the first column.  0, or -ENOMEM. */
int raster_add(struct raster *r, const struct raster_mark *m);

/* a cell by the start of its column and row */
struct raster_cell {
	uint64_t time, sector;	/* it has the raster's width and height */
	unsigned int class;
	uint64_t count;
};

/* calls each for all cells, in any order */
void raster_each(const struct raster *r,
		 void (*each)(void *ctx, const struct raster_cell *c),
		 void *ctx);

void raster_free(struct raster *r);

#endif
