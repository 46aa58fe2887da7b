/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The LRU stack of a device's blocks: how many other blocks were accessed since a
 * block was accessed last.  A cache of more blocks than that still has it
 * (Mattson et al., "Evaluation techniques for storage hierarchies", 1970).
 *
 * Up to STACK_MAX blocks are followed exactly.  After more, a sample of them
 * (cache/sample.h), and distances count for as many blocks as each of it stands for;
 * whenever the sample reaches STACK_SAMPLED blocks, half of it is forgotten
 * (Waldspurger et al., "Efficient MRC construction with SHARDS", FAST '15).  Memory
 * is 14 MiB at most.
 */
#ifndef CACHE_STACK_H
#define CACHE_STACK_H

#include <stdbool.h>
#include <stdint.h>

#include "cache/sample.h"

struct stack;

enum {
	STACK_MAX = 1000000,	/* blocks followed at a time, */
	STACK_SAMPLED = 1 << 18	/* and if they are a sample */
};

/* an access of a block that is followed; distances in blocks */
struct stack_access {
	struct sample sample;
	bool fresh;		/* the block's first read, or its first write */
	bool known;		/* it was accessed before: */
	uint64_t distance;	/* other blocks since */
	bool dirty;		/* a write or discard, and the block was written
				 * before: */
	uint64_t longest;	/* the longest distance of its accesses since */
};

/* most: blocks to follow, at most STACK_MAX, and of a sample; 0 and *s, or -ENOMEM */
int stack_new(struct stack **s, uint32_t most, uint32_t sampled);

/* the same again; 0 and *s, or -ENOMEM */
int stack_copy(struct stack **s, const struct stack *from);

/* 1 and *a; 0: the block is not followed; or -ENOMEM */
int stack_access(struct stack *s, struct sampled b, bool write,
		 struct stack_access *a);

/* Discards the next followed block of a range, in any order, from all caches: 1 and *a;
 * 0: no more; or -ENOMEM.  The steps of all calls for a range are at most its blocks,
 * or the places for followed ones. */
int stack_discard(struct stack *s, struct sample_range *r,
		  struct stack_access *a);

/* blocks accessed so far, exact as long as stack_share() is 1 */
uint64_t stack_blocks(const struct stack *s);

/* blocks for each that is followed; 1: exact */
uint64_t stack_share(const struct stack *s);

/* NULL is fine */
void stack_free(struct stack *s);

#endif
