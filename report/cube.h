/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Counts of ios by time, stream and one of latency, sector and size, which
 * replace rows when there are too many.
 *
 * Latencies, sums and sizes are at an io's end, sectors at its start.
 */
#ifndef REPORT_CUBE_H
#define REPORT_CUBE_H

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>

#include "report/disks.h"
#include "report/row.h"
#include "report/sparse.h"
#include "report/streams.h"

/* --- bucket --------------------------------------------------------------- */

/*
 * Buckets of spans: eight per power of two, so that each is 9% wide.
 */

enum { REPORT_BUCKETS = 64 * 8 };

/* floor(8 * log2(ns)); of 0: 0 */
static inline unsigned int report_bucket(uint64_t ns)
{
	/* 2^63 times the eighth roots of 2, rounded up */
	static const uint64_t roots[8] = {
		UINT64_C(1) << 63, UINT64_C(10058158527438640871),
		UINT64_C(10968499650544839024), UINT64_C(11961233684655323371),
		UINT64_C(13043817825332782213), UINT64_C(14224384202002324190),
		UINT64_C(15511800964685064949), UINT64_C(16915738899553466671),
	};
	/* 0 has the bucket of 1 */
	uint64_t least = ns ? ns : 1;
	unsigned int zeros = (unsigned int)__builtin_clzll(least);
	uint64_t high = least << zeros;
	unsigned int i;

	i = high >= roots[4] ? 4 : 0;
	i += high >= roots[i + 2] ? 2 : 0;
	i += high >= roots[i + 1] ? 1 : 0;
	return 8 * (63 - zeros) + i;
}

/* --- offsets -------------------------------------------------------------- */

/*
 * Sectors of a device by time: counts of streams in rows of equal height.  The
 * height doubles when a sector lies outside, as bins double in width.
 */

enum { REPORT_CELLS = 1024, REPORT_ROWS_BITS = 8,
       REPORT_ROWS = 1 << REPORT_ROWS_BITS };

struct report_offsets {
	struct sparse cells;	/* keys: stream << REPORT_ROWS_BITS | row */
	bool begun;
	unsigned int shift;	/* a row has 1 << shift sectors */
	uint64_t base;		/* first sector of row 0, a multiple of it */
};

/* sectors are expected from lo up to hi; 0 or -ENOMEM, as all */
int report_offsets_init(struct report_offsets *o, uint64_t width, uint64_t lo,
			uint64_t hi);
void report_offsets_free(struct report_offsets *o);

/* slow path of report_offsets_add() */
int report_offsets_grow(struct report_offsets *o, uint64_t sector);

static inline int report_offsets_add(struct report_offsets *o, uint64_t time,
				     uint32_t stream, uint64_t sector)
{
	uint64_t row = (sector - o->base) >> o->shift;

	if (UNLIKELY(sector < o->base || row >= REPORT_ROWS)) {
		if (report_offsets_grow(o, sector))
			return -ENOMEM;
		row = (sector - o->base) >> o->shift;
	}
	return sparse_add(&o->cells, time,
			  stream << REPORT_ROWS_BITS | (uint32_t)row);
}

/* after sparse_end(): rows become times as high, a power of two */
int report_offsets_flatten(struct report_offsets *o, unsigned int times);

/* --- cube ----------------------------------------------------------------- */

enum {
	REPORT_BINS = 4096,	/* at most; at least half of it, if the trace
				 * is long enough */
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

	/* cube.c's: new numbers of streams, which keys do not have yet */
	bool mapped;
	uint32_t map[REPORT_STREAMS_ALL];
};

/* for a trace of about that length; 0 or -ENOMEM, as all */
int report_cube_init(struct report_cube *c, uint64_t length);
void report_cube_free(struct report_cube *c);

/* A row of that device, and its times if it has ended; time 0 is the start of
 * the cube, and earlier ones count there. */
int report_cube_add(struct report_cube *c, const struct report_row *row,
		    const struct report_times *t, uint32_t number,
		    const struct report_disk *disk);

/* No more rows; length is that of the window.  Spans and scalars then have bins
 * of the same *width. */
int report_cube_end(struct report_cube *c, uint64_t length, uint64_t *width);

/* Renumbers streams by map, once report_cube_settle() is called: the keys of
 * several maps are counted anew only once. */
void report_cube_map(struct report_cube *c, const uint32_t *map);
int report_cube_settle(struct report_cube *c);

/* bins of spans and scalars become times as wide, a power of two */
int report_cube_widen(struct report_cube *c, uint64_t times);

/* cells of sizes and offsets become wide times as wide, rows of offsets high
 * times as high */
int report_cube_flatten(struct report_cube *c, unsigned int wide,
			unsigned int high);

#endif
