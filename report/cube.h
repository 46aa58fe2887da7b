/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Ios by time, stream and one thing more: how long they took, where they were,
 * how large.  It stands for rows where there are too many of them.
 *
 * Latencies, sums and sizes stand at an io's end, sectors at its begin.
 */
#ifndef REPORT_CUBE_H
#define REPORT_CUBE_H

#include "report/disks.h"
#include "report/offsets.h"
#include "report/row.h"
#include "report/scalars.h"
#include "report/sparse.h"

enum {
	REPORT_BINS = 4096,	/* at most; half of it at least, if there is
				 * time for so many */
	REPORT_SIZE_CELLS = 512,
	REPORT_BUCKET_BITS = 9,	/* keys of spans: stream and bucket */
	REPORT_CLASS_BITS = 5,	/* keys of sizes: stream, floor(log2(blocks)) */
	REPORT_CLASSES = 1 << REPORT_CLASS_BITS,
};

struct report_cube {
	struct sparse spans[REPORT_SPANS];
	struct scalars scalars;
	struct sparse sizes;
	struct report_offsets offsets[REPORT_DISKS];
};

/* for a trace that lasts so long as far as is known; 0 or -ENOMEM, as all */
int report_cube_init(struct report_cube *c, uint64_t length);
void report_cube_free(struct report_cube *c);

/* a row, whose time is from when the cube begins, of that device; one that
 * began earlier began then */
int report_cube_add(struct report_cube *c, const struct report_row *row,
		    uint32_t number, const struct report_disk *disk);

/* No more rows; the window is so long.  Then spans and scalars have bins of one
 * width, *width. */
int report_cube_end(struct report_cube *c, uint64_t length, uint64_t *width);

/* streams get the numbers that map has for them */
int report_cube_map(struct report_cube *c, const uint32_t *map);

/* bins of spans and scalars become that much wider, a power of two */
int report_cube_widen(struct report_cube *c, uint64_t times);

/* sizes and offsets are in that many times as wide cells, these in as high
 * rows */
int report_cube_flatten(struct report_cube *c, unsigned int wide,
			unsigned int high);

#endif
