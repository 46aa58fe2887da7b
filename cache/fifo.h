/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A cache of one size by S3-FIFO (Yang et al., "FIFO queues are all you need for
 * cache eviction", SOSP '23): blocks enter a small queue, and only those that are
 * accessed again there, or soon after they left it, get into the main one.  A scan
 * passes through without displacing what is used.
 *
 * A large cache is simulated as a smaller one of a sample of blocks (Waldspurger et
 * al., "Cache modeling and optimization using miniature simulations", ATC '17).
 */
#ifndef CACHE_FIFO_H
#define CACHE_FIFO_H

#include <stdbool.h>
#include <stdint.h>

#include "cache/sample.h"

struct fifo;

enum {
	FIFO_MIN = 16,		/* blocks of the smallest cache */
	FIFO_MOST = 1 << 15	/* simulated at most: 0.9 MiB */
};

struct fifo_access {
	bool served;
	bool saved;		/* a write that replaces one it has not passed on */
};

/* blocks, and how many of them are simulated at most: powers of two, at least
 * FIFO_MIN, and most at most FIFO_MOST; 0 and *f, or -ENOMEM */
int fifo_new(struct fifo **f, uint64_t blocks, uint64_t most);

/* the same again; 0 and *f, or -ENOMEM */
int fifo_copy(struct fifo **f, const struct fifo *from);

/* one of 2^n blocks is simulated */
unsigned int fifo_shift(const struct fifo *f);

/* an access of a block that is; 0 and *a, or -ENOMEM */
int fifo_access(struct fifo *f, uint64_t block, bool write,
		struct fifo_access *a);

/* Discards the next simulated block of a range that the cache has, in any order:
 * true, *hash of its number, and whether that saves a write.  The steps of all calls
 * for a range are at most its blocks, or the simulated ones. */
bool fifo_discard(struct fifo *f, struct sample_range *r, uint64_t *hash,
		  bool *saved);

/* NULL is fine */
void fifo_free(struct fifo *f);

#endif
