/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Integers as Parquet's DELTA_BINARY_PACKED: the first value, and how far each
 * other is from the one before.
 *
 * A page's stream is a header (values in a block, miniblocks in it, values in
 * all, the first) and blocks of 128 differences: the lowest of them, a width
 * for each of the four miniblocks of 32, and the differences less the lowest,
 * in that many bits.  Differences of 32-bit columns wrap at 32 bits: readers
 * give up, or read other numbers, where one is wider.
 */
#ifndef EMIT_PARQUET_DELTA_H
#define EMIT_PARQUET_DELTA_H

#include <stdbool.h>
#include <stdint.h>

#include "emit/parquet/chain.h"

enum {
	DELTA_BLOCK = 128,
	DELTA_BATCH = 64	/* values that may come at once */
};

struct delta {
	bool narrow;		/* values are of 32 bits */
	struct chain blocks;	/* the page's, as far as they are full */
	uint32_t count;		/* values in the page */
	int64_t first;		/* of the page */
	int64_t low, high;	/* of all in blocks since delta_forget() */
	uint32_t waiting;	/* values not in a block yet, the one before
				 * them included */
	int64_t values[DELTA_BLOCK + DELTA_BATCH];
};

/* no value yet; blocks come from the pool */
void delta_init(struct delta *d, bool narrow, struct chain_pool *pool);

/* gives the blocks back */
void delta_free(struct delta *d);

/* low and high begin anew */
void delta_forget(struct delta *d);

/* a place for DELTA_BATCH values, good until delta_added() says how many */
static inline int64_t *delta_room(struct delta *d)
{
	return d->values + d->waiting;
}

/* 0, or -ENOMEM */
int delta_added(struct delta *d, unsigned int count);

/* appends the page's stream to a chain and begins another; 0, or -ENOMEM */
int delta_page(struct delta *d, struct chain *to);

#endif
