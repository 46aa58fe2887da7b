/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where on the device requests are slow, and for how much of the time.
 *
 * Requests are counted that took 4 times the median so far of their operation
 * and size (behind.h), in up to 512 cells of equal length.  When a sector lies
 * outside, pairs of cells are joined.  At the end each cell goes by its middle
 * into one of 128 parts of the exact range, so a part's boundaries are off by
 * half a cell, an eighth to a quarter of a part.
 *
 * For time, each cell has 64 bits for 64 equal spans, which double as the trace
 * grows; at the end they make twentieths.
 */
#ifndef FINDINGS_REGIONS_H
#define FINDINGS_REGIONS_H

#include "findings/served.h"

enum {
	REGIONS_CELLS = 512,
	REGIONS_PARTS = 128,
	REGIONS_TIMES = 4,	/* the median: then it is slow */
};

struct region {
	uint32_t count, slow;
	uint64_t ratios;	/* sum of the slow ones', times 1,000 */
	uint64_t seen, seen_slow;	/* a bit for each span of time */
};

struct regions {
	struct region cells[REGIONS_CELLS];
	uint64_t base;		/* number of the first: sector >> shift */
	unsigned int shift;
	unsigned int span;	/* a bit stands for 1 << span ns */
	uint64_t begin;		/* start of the first of these */
	uint64_t low, high;	/* sectors: first, and after the last start */
	uint64_t count;
	uint64_t lost;		/* ns, by slow ones above the median */
};

/* a request with data; usual: the median of its kind, not 0 */
void regions_add(struct regions *r, const struct served *s, uint64_t usual);

/* all parts of the range, with twentieths of the time from from to to */
struct region_part {
	uint64_t count, slow, ratios;
	uint32_t times, slow_times;	/* twentieths of the time */
};

void regions_parts(const struct regions *r, uint64_t from, uint64_t to,
		   struct region_part parts[REGIONS_PARTS]);

/* the first sector of a part, or the one after the last part */
uint64_t regions_border(const struct regions *r, uint32_t part);

#endif
