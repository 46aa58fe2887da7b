/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Counts of keys in bins of time, where most keys never come.
 *
 * Bins have equal width.  When time passes the last possible bin, or memory its
 * bound, pairs of bins are joined; counts are as if the width had been that
 * from the start.
 *
 * The latest bin is an array; others are packed, two or three bytes a key.
 * Late keys wait in a list.
 */
#ifndef REPORT_SPARSE_H
#define REPORT_SPARSE_H

#include <stddef.h>
#include <stdint.h>

#include "base/hint.h"
#include "report/row.h"

/* --- scalars -------------------------------------------------------------- */

/*
 * Sums by stream in each bin of time; bins double as below.
 *
 * Each bin has a short list of its streams, by number.
 */

struct scalar {
	uint32_t stream;
	uint32_t ios;		/* that ended in the bin */
	uint64_t blocks;
	uint64_t phases[REPORT_PHASES];	/* sums, ns */
	uint64_t q2c, d2c;	/* the largest, ns */
	uint64_t busy;		/* ns that its ios were in the device */
};

/* streams that are looked up without a search */
enum { SCALAR_HINTS = 256 };

struct scalar_bin {
	struct scalar *list;
	uint32_t count, size;
};

struct scalars {
	uint64_t width;
	uint32_t limit, count;	/* as in struct sparse */
	struct scalar_bin *bins;
	size_t kept, kept_max;	/* scalars, and their bound */

	/* sparse.c's: the bin of the latest io, or NULL, */
	struct scalar_bin *bin;
	uint64_t from;		/* and its start */
	uint16_t hints[SCALAR_HINTS];	/* places of streams there, maybe */
};

/* 0 or -ENOMEM, as all of these */
int scalars_init(struct scalars *s, uint64_t width, uint32_t limit);
void scalars_free(struct scalars *s);

/* an io of that stream ended */
int scalars_add(struct scalars *s, uint32_t stream,
		const struct report_row *row, const struct report_times *t);

/* one was in the device from from up to to */
int scalars_add_busy(struct scalars *s, uint32_t stream, uint64_t from,
		     uint64_t to);

/* adds from to to, whatever their streams */
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
				 * was requested */

	/* sparse.c's */
	struct sparse_bin *bins;
	uint64_t from, to;	/* of the latest bin */
	uint32_t *counts;	/* of its keys */
	uint64_t *used;		/* bits of keys that it counts, and */
	uint64_t *groups;	/* of words of these that are not 0 */
	uint32_t size;		/* keys there is room for, a power of two */
	uint8_t *room;		/* for packing */
	size_t room_size;
	uint64_t *late;		/* bin << 32 | key */
	uint32_t late_count;
	size_t bytes, bytes_max;	/* packed: so far, and at most */
};

/* bins of that width, 1 at least; 0 or -ENOMEM */
int sparse_init(struct sparse *s, uint64_t width, uint32_t limit);
void sparse_free(struct sparse *s);

/* key, for which there is room, comes times in the latest bin */
static inline void sparse_count(struct sparse *s, uint32_t key, uint32_t times)
{
	s->counts[key] += times;
	s->used[key / 64] |= UINT64_C(1) << key % 64;
	s->groups[key / 64 / 64] |= UINT64_C(1) << key / 64 % 64;
}

/* slow path of sparse_add() */
int sparse_add_rare(struct sparse *s, uint64_t time, uint32_t key);

/* key came at time; 0 or -ENOMEM.  No key comes 2^32 times in a bin. */
static inline int sparse_add(struct sparse *s, uint64_t time, uint32_t key)
{
	if (UNLIKELY(time - s->from >= s->to - s->from || key >= s->size))
		return sparse_add_rare(s, time, key);
	sparse_count(s, key, 1);
	return 0;
}

/* no more: counts waiting keys; 0 or -ENOMEM */
int sparse_end(struct sparse *s);

/* after the end: bins become times as wide, a power of two */
int sparse_widen(struct sparse *s, uint64_t times);

/* new numbers for the high bits of keys, and for the low ones; NULL: as they
 * are */
struct sparse_mapping {
	const uint32_t *high, *low;
	unsigned int bits;	/* low ones */
};

/*
 * After the end: renumbers keys, maybe several to one; UINT32_MAX for its high
 * bits drops one.  0 or -ENOMEM.
 */
int sparse_map(struct sparse *s, const struct sparse_mapping *m);

/* the number of keys of a bin, below count */
static inline uint32_t sparse_keys(const struct sparse *s, uint32_t bin)
{
	return s->bins[bin].keys;
}

/*
 * After the end: the entries of a bin, ascending.  sparse_next() is false after
 * the last.
 */
struct sparse_walk {
	const uint8_t *at, *end;
	struct sparse_entry entry;
};

void sparse_walk(struct sparse_walk *w, const struct sparse *s, uint32_t bin);
int sparse_next(struct sparse_walk *w);

#endif
