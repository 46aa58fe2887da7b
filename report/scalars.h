/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Sums by stream in each bin of time; bins double as those of sparse.h do.
 *
 * What a stream has in a bin stands in a short list, by its number, so that
 * only streams take room which were there then.
 */
#ifndef REPORT_SCALARS_H
#define REPORT_SCALARS_H

#include <stddef.h>
#include <stdint.h>

#include "report/row.h"

struct scalar {
	uint32_t stream;
	uint32_t ios;		/* that ended in the bin */
	uint64_t blocks;
	uint64_t phases[REPORT_PHASES];	/* sums, ns */
	uint64_t q2c, d2c;	/* the largest, ns */
	uint64_t busy;		/* ns that its ios were in the device */
};

struct scalar_bin {
	struct scalar *list;
	uint32_t count, size;
};

struct scalars {
	uint64_t width;
	uint32_t limit, count;	/* as in struct sparse */
	struct scalar_bin *bins;
	size_t kept, kept_max;	/* scalars: before pairs become one */
};

/* 0 or -ENOMEM, as all of these */
int scalars_init(struct scalars *s, uint64_t width, uint32_t limit);
void scalars_free(struct scalars *s);

/* an io of that stream ended at time */
int scalars_add(struct scalars *s, uint64_t time, uint32_t stream,
		const struct report_row *row);

/* one was in the device from one moment up to another */
int scalars_add_busy(struct scalars *s, uint32_t stream, uint64_t from,
		     uint64_t to);

/* both together, of whichever streams */
void scalar_join(struct scalar *to, const struct scalar *from);

/* as sparse_widen() and sparse_map() */
int scalars_widen(struct scalars *s, uint64_t times);
int scalars_map(struct scalars *s, const uint32_t *map);

#endif
