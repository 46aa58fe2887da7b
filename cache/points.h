/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What programs show of a cache: some sizes, and what each would serve by each policy.
 */
#ifndef CACHE_POINTS_H
#define CACHE_POINTS_H

#include <stdbool.h>
#include <stdint.h>

#include "cache/cache.h"

enum { POINTS_MAX = 12 };

enum cache_policy {
	CACHE_LRU,
	CACHE_S3FIFO,
	CACHE_POLICIES
};

struct cache_point {
	uint64_t bytes;		/* the cache's size, a power of two */
	bool known[CACHE_POLICIES];	/* by policy, whether it was simulated */
	struct curve_point at[CACHE_POLICIES][CACHE_CURVES];
};

struct points {
	struct cache_facts facts;
	uint64_t accesses[CACHE_CURVES];	/* of blocks, that each curve is of */
	/* from the largest that serves nothing, if that is among the last ones, to the
	 * first with room for all blocks */
	struct cache_point list[POINTS_MAX];
	unsigned int count;	/* at least 1 */
	/* the first with half, and with nine tenths, of the reads that the last
	 * serves */
	unsigned int half, most;
};

/* Of curves and policies as columns have them: "reads", "s3fifo". */
const char *points_curve_name(enum cache_curve curve);
const char *points_policy_name(enum cache_policy policy);

void points_find(struct points *p, const struct cache *c);

/* whether the cache would serve a read at all */
bool points_serve_reads(const struct points *p);

#endif
