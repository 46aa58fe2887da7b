/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which blocks stand for all: by a hash of their numbers, the same in each run, so
 * that of a block all accesses are followed or none (SHARDS, FAST '15).
 */
#ifndef CACHE_SAMPLE_H
#define CACHE_SAMPLE_H

#include <stdbool.h>
#include <stdint.h>

enum {
	SAMPLE_GROUPS = 8,	/* of blocks: each is a sample, too */
	SAMPLE_GROUP_SHIFT = 24,	/* of a hash, to its group */
	/* higher bits of a block's number are ignored */
	SAMPLE_BLOCK_BITS = 43
};

/* an access of a followed block */
struct sample {
	uint64_t weight;	/* for how many accesses it stands */
	unsigned int group;
};

/* A permutation.  Its high bits, by which blocks are chosen, and those of the group
 * depend on all of the number's. */
static inline uint64_t sample_hash(uint64_t block)
{
	block *= 0x9e3779b97f4a7c15ULL;
	block ^= block >> 32;
	return block * 0xd6e8feb86659fd93ULL;
}

/* a block, by its number without the bits that are ignored */
struct sampled {
	uint64_t block, hash;
};

static inline struct sampled sampled_of(uint64_t block)
{
	block &= (1ull << SAMPLE_BLOCK_BITS) - 1;
	return (struct sampled){ block, sample_hash(block) };
}

/* whether one of 2^shift blocks is followed, shift at most 63 */
static inline bool sample_has(uint64_t hash, unsigned int shift)
{
	return hash <= UINT64_MAX >> shift;
}

/* blocks of one device that are next to each other */
struct sample_range {
	uint64_t first, last;	/* numbers without the bits that are ignored */
	uint64_t salt;		/* of the device, in numbers of blocks of many */
	uint64_t done;		/* of who walks through it; 0 at first */
};

static inline bool sample_in_range(const struct sample_range *r, uint64_t block)
{
	return (block ^ r->salt) - r->first <= r->last - r->first;
}

static inline struct sample sample_of(uint64_t hash, unsigned int shift)
{
	return (struct sample){ 1ull << shift, (hash >> SAMPLE_GROUP_SHIFT) %
						       SAMPLE_GROUPS };
}

#endif
