/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Integers as Parquet's DELTA_BINARY_PACKED: the first value and differences.
 *
 * A page's stream is a header (values per block, miniblocks per block, number
 * of values, the first) and blocks of 128 differences: the lowest, a width for
 * each of four miniblocks of 32, and the differences less the lowest in that
 * many bits.  Differences of 32-bit columns wrap at 32 bits: readers fail on
 * wider ones, or misread them.
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
	struct chain blocks;	/* the page's full blocks */
	uint32_t count;		/* values in the page */
	int64_t first;		/* of the page */
	int64_t low, high;	/* of all in blocks since delta_forget() */
	uint32_t waiting;	/* values not in a block yet, and the one
				 * before them */
	int64_t values[DELTA_BLOCK + DELTA_BATCH];
};

/* blocks come from the pool */
void delta_init(struct delta *d, bool narrow, struct chain_pool *pool);

/* returns the blocks */
void delta_free(struct delta *d);

/* resets low and high */
void delta_forget(struct delta *d);

/* room for DELTA_BATCH values; delta_added() takes them */
static inline int64_t *delta_room(struct delta *d)
{
	return d->values + d->waiting;
}

/* 0, or -ENOMEM */
int delta_added(struct delta *d, unsigned int count);

/* appends the page's stream to a chain and starts another; 0 or -ENOMEM */
int delta_page(struct delta *d, struct chain *to);

#endif
