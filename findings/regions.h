/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where on the device requests are slow, and for how much of the time.
 *
 * What is counted: how many requests took 4 times what is usual for their
 * operation and size (behind.h, by what is usual so far), in up to 512 cells of
 * equal length.  Cells are as long as they must be for 512 to hold all that was
 * seen: when one lies outside, two and two become one.  In the end they are put
 * into 128 parts of the exact span, a cell by its middle.  So a part's borders
 * are off by half a cell, an eighth to a quarter of a part.
 *
 * The same in time: each cell has 64 bits for 64 equal spans of time, which
 * double when time goes on; in the end they make twentieths.
 */
#ifndef FINDINGS_REGIONS_H
#define FINDINGS_REGIONS_H

#include "findings/served.h"

enum {
	REGIONS_CELLS = 512,
	REGIONS_PARTS = 128,
	REGIONS_TIMES = 4,	/* what is usual: then it is slow */
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
	uint64_t begin;		/* where the first of these begins */
	uint64_t low, high;	/* sectors: first, and behind the last start */
	uint64_t count;
	uint64_t lost;		/* ns, by slow ones above the usual */
};

/* a request with data; usual is what its kind takes, not 0 */
void regions_add(struct regions *r, const struct served *s, uint64_t usual);

/* all parts of the span, as counted between from and to */
struct region_part {
	uint64_t count, slow, ratios;
	uint32_t times, slow_times;	/* twentieths of the time */
};

void regions_parts(const struct regions *r, uint64_t from, uint64_t to,
		   struct region_part parts[REGIONS_PARTS]);

/* the first sector of a part, or of what is behind the last */
uint64_t regions_border(const struct regions *r, uint32_t part);

#endif
