/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a cache in front of a device, or of several, would serve, by its size.  Reads
 * and writes bring blocks into it, discards take them out.
 *
 * Memory is 16 MiB at most, and 16 MiB more for S3-FIFO, whatever the number of
 * I/Os.
 */
#ifndef CACHE_CACHE_H
#define CACHE_CACHE_H

#include <stdbool.h>
#include <stdint.h>

#include "cache/blocks.h"
#include "cache/curve.h"
#include "cache/touched.h"

struct cache;

enum cache_curve {
	CACHE_READS,		/* reads of blocks that it has */
	CACHE_WRITES,		/* writes of such */
	CACHE_SAVED,		/* writes that a cache which writes back never passes
				 * on: overwritten while it has them */
	CACHE_CURVES
};

enum {
	/* bits of a block's bytes */
	CACHE_BITS_MIN = 9,
	CACHE_BITS_MAX = 20,
	/* bits of the blocks of simulated sizes */
	CACHE_FIFO_MIN = 8,
	CACHE_FIFO_MAX = 31
};

struct cache_facts {
	uint64_t touched, read, written;	/* bytes of different blocks */
	uint64_t share;		/* blocks for each that is followed; 1: exact */
};

/* fifo: simulates S3-FIFO, too; 0 and *c, or -ENOMEM */
int cache_new(struct cache **c, unsigned int block_bits, bool fifo);

/* The same cache again, which then may be in front of more devices.  It keeps no
 * histories of blocks, nor what touched them. */
int cache_copy(struct cache **c, const struct cache *from);

enum cache_op {
	CACHE_READ,
	CACHE_WRITE,
	CACHE_DISCARD		/* nothing of its blocks is in the cache any more, and
				 * nothing of them needs to be written */
};

/* An I/O.  Of a read or write, the first and last block count as a whole, of a
 * discard not at all unless it covers them. */
struct cache_io {
	enum cache_op op;
	uint64_t sector, bytes;
	uint64_t time;		/* ns */
	unsigned int device;	/* 0 unless the cache is in front of several */
	/* who touches its blocks: asked only if they are followed; 0 or -ENOMEM */
	int (*by)(const void *ctx, struct touched_by *by);
	const void *ctx;
};

/* 0 or -ENOMEM */
int cache_add(struct cache *c, const struct cache_io *io);

unsigned int cache_block_bits(const struct cache *c);

void cache_facts(const struct cache *c, struct cache_facts *f);

/* accesses of blocks that a curve is of */
uint64_t cache_accesses(const struct cache *c, enum cache_curve curve);

/* the share of these that an LRU cache of this size serves */
struct curve_point cache_at(const struct cache *c, enum cache_curve curve,
			    uint64_t bytes);

/* The same by S3-FIFO, of sizes that are powers of two; false: not simulated, as those
 * below 1/8192 of all blocks. */
bool cache_fifo_at(const struct cache *c, enum cache_curve curve, uint64_t bytes,
		   struct curve_point *p);

/* what its blocks had; and which ones processes and hours touched: NULL of a copy */
const struct blocks *cache_blocks(const struct cache *c);
const struct touched *cache_touched(const struct cache *c);

/* NULL is fine */
void cache_free(struct cache *c);

#endif
