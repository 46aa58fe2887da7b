/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which share of accesses caches of each size serve: a miss-ratio curve, told by
 * what is not missed.
 *
 * If only a sample of blocks is followed (cache/sample.h), accesses that it lacks
 * count as served by any cache, those that it has too many of are taken away
 * there: most of these go to few blocks (SHARDS-adj, FAST '15).  The groups of
 * blocks say by how much the sample may be wrong.
 */
#ifndef CACHE_CURVE_H
#define CACHE_CURVE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/histogram.h"
#include "cache/sample.h"

/* an all-zero one has no accesses */
struct curve {
	uint64_t seen[SAMPLE_GROUPS];	/* accesses, weighted */
	struct histogram hits[SAMPLE_GROUPS];	/* of these, by the blocks that a
						 * cache needs less one */
};

struct curve_point {
	uint32_t served;	/* parts per million */
	uint32_t error;		/* the same: wrong by more once in 20 times */
};

/* counts an access of a followed block; served: by caches of more blocks than
 * this.  0 or -ENOMEM */
int curve_add(struct curve *c, struct sample s, bool served, uint64_t blocks);

/* The same of an access that was counted as not served before. */
int curve_serve(struct curve *c, struct sample s, uint64_t blocks);

/* What a cache of this size serves.  all: accesses, also of blocks not followed;
 * share: blocks for each that was followed at the end. */
struct curve_point curve_at(const struct curve *c, uint64_t all, uint64_t blocks,
			    uint64_t share);

/* to: all-zero; 0 or -ENOMEM */
int curve_copy(struct curve *to, const struct curve *from);

void curve_free(struct curve *c);

#endif
