/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the blocks of a device had: how many accesses, and how soon what was
 * written was written again or discarded.  All blocks, or beyond a number of them a sample
 * (cache/sample.h), of which each has its whole history.
 */
#ifndef CACHE_BLOCKS_H
#define CACHE_BLOCKS_H

#include <stdbool.h>
#include <stdint.h>

#include "cache/sample.h"

struct blocks;

enum {
	BLOCKS_MOST = 1 << 13,	/* followed, as a rule: 0.3 MiB */
	BLOCKS_AGES = 3
};

/* ns, ascending */
extern const uint64_t blocks_ages[BLOCKS_AGES];

/* shares in parts per million */
struct blocks_facts {
	uint32_t top_1, top_10;	/* of accesses, by the 1% and the 10% of blocks with
				 * most of them */
	uint32_t rewritten;	/* of writes, whose block was written again or
				 * discarded, */
	uint32_t within[BLOCKS_AGES];	/* and in less than these times */
	bool any_writes;
};

/* 0 and *b, or -ENOMEM */
int blocks_new(struct blocks **b, uint32_t most);

/* time: ns; 0 or -ENOMEM */
int blocks_access(struct blocks *b, struct sampled s, bool write,
		  uint64_t time);

/* ends what was written there */
void blocks_discard(struct blocks *b, struct sample_range r, uint64_t time);

/* one of 2^n blocks is followed */
unsigned int blocks_shift(const struct blocks *b);

/* 0 or -ENOMEM */
int blocks_facts(const struct blocks *b, struct blocks_facts *f);

/* NULL is fine */
void blocks_free(struct blocks *b);

#endif
