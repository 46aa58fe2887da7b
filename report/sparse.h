/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How often each key came in each bin of time, where most keys never come.
 *
 * Bins are of equal width.  When time runs past the last one that there may be,
 * or memory past its bound, pairs of bins become one, of twice the width: then
 * all is as if it had been counted so at once.
 *
 * The latest bin is counted in an array; the others are packed, two or three
 * bytes a key.  What comes late waits in a list.
 */
#ifndef REPORT_SPARSE_H
#define REPORT_SPARSE_H

#include <stddef.h>
#include <stdint.h>

#include "base/hint.h"
#include "report/row.h"

/* --- scalars -------------------------------------------------------------- */

/*
 * Sums by stream in each bin of time; bins double as those of sparse.h do.
 *
 * What a stream has in a bin stands in a short list, by its number, so that
 * only streams take room which were there then.
 */

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

/* --- sparse --------------------------------------------------------------- */

struct sparse_entry {
	uint32_t key, count;
};

struct sparse_bin {
	uint8_t *bytes;		/* pairs of differences of keys, and counts */
	uint32_t len;
	uint32_t keys;
};

struct sparse {
	uint64_t width;		/* of a bin */
	uint32_t limit;		/* bins at most, a power of two */
	uint32_t count;		/* bins so far: the last one is not empty, or
				 * was asked for */

	/* sparse.c's */
	struct sparse_bin *bins;
	uint64_t from, to;	/* of the latest bin */
	uint32_t *counts;	/* of its keys */
	uint64_t *used;		/* bits of keys that it counts */
	uint32_t size;		/* keys there is room for, a power of two */
	uint32_t top;		/* words of used behind these are 0 */
	uint64_t *late;		/* bin << 32 | key */
	uint32_t late_count;
	size_t bytes, bytes_max;	/* packed: so far, and at most */
};

/* bins of that width, 1 at least; 0 or -ENOMEM */
int sparse_init(struct sparse *s, uint64_t width, uint32_t limit);
void sparse_free(struct sparse *s);

/* slow path of sparse_add() */
int sparse_add_rare(struct sparse *s, uint64_t time, uint32_t key);

/* key came at time; 0 or -ENOMEM.  No key comes 2^32 times in a bin. */
static inline int sparse_add(struct sparse *s, uint64_t time, uint32_t key)
{
	if (UNLIKELY(time - s->from >= s->to - s->from || key >= s->size))
		return sparse_add_rare(s, time, key);
	s->counts[key]++;
	s->used[key / 64] |= UINT64_C(1) << key % 64;
	return 0;
}

/* All have come: what waits is counted.  0 or -ENOMEM. */
int sparse_end(struct sparse *s);

/* Behind the end: bins become that much wider, a power of two. */
int sparse_widen(struct sparse *s, uint64_t times);

/*
 * Behind the end: keys become what map makes of them, which may be the same of
 * several; UINT32_MAX leaves one out.  0 or -ENOMEM.
 */
int sparse_map(struct sparse *s, uint32_t (*map)(const void *ctx, uint32_t key),
	       const void *ctx);

/* the number of keys of a bin, below count */
static inline uint32_t sparse_keys(const struct sparse *s, uint32_t bin)
{
	return s->bins[bin].keys;
}

/*
 * Behind the end: the entries of a bin, ascending, one by one; *at begins as
 * NULL.  False: there are no more.
 */
struct sparse_walk {
	const uint8_t *at, *end;
	struct sparse_entry entry;
};

void sparse_walk(struct sparse_walk *w, const struct sparse *s, uint32_t bin);
int sparse_next(struct sparse_walk *w);

#endif
