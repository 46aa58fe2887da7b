/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where on a device ios began, by time: counts of streams in rows of equally
 * many sectors.  Rows double in height when a sector lies outside of them, as
 * bins do in width.
 */
#ifndef REPORT_OFFSETS_H
#define REPORT_OFFSETS_H

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>

#include "report/sparse.h"

enum { REPORT_CELLS = 1024, REPORT_ROWS_BITS = 8,
       REPORT_ROWS = 1 << REPORT_ROWS_BITS };

struct report_offsets {
	struct sparse cells;	/* keys: stream << REPORT_ROWS_BITS | row */
	bool begun;
	unsigned int shift;	/* a row has 1 << shift sectors */
	uint64_t base;		/* the first of row 0, a multiple of these */
};

/* one whose sectors are expected from lo up to hi; 0 or -ENOMEM, as all */
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

/* Behind sparse_end(): so many times as high rows, a power of two. */
int report_offsets_flatten(struct report_offsets *o, unsigned int times);

#endif
