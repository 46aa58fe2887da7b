/* SPDX-License-Identifier: GPL-2.0-only */
/* A cache by S3-FIFO; see fifo.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/hash.h"
#include "cache/fifo.h"
#include "cache/sample.h"

enum {
	USES_MAX = 3,		/* accesses that count */
	USES_MAIN = 2,		/* in the small queue, to get into the main one */
	SMALL_SHARE = 10,	/* the small queue is a tenth */
	FIRST = 64		/* nodes */
};

#define NONE UINT16_MAX

enum where {
	SMALL,
	MAIN,
	GHOST,			/* left the small queue: only its number is known */
	QUEUES,
	FREE = QUEUES		/* in none */
};

struct node {
	uint32_t low;		/* of the block's number */
	uint16_t high : SAMPLE_BLOCK_BITS - 32, where : 2, uses : 2, dirty : 1;
	uint16_t newer, older;	/* in its queue; older: the next free one */
	uint16_t chain;		/* of the same hash */
};

/* blocks of the cache and as many ghosts, about */
_Static_assert(2 * FIFO_MOST <= NONE + 1, "numbers of nodes fit");

struct queue {
	uint32_t newest, oldest, count;
};

struct fifo {
	unsigned int shift;
	uint32_t blocks, small_max, main_max;
	struct queue queues[QUEUES];
	struct node *nodes;
	size_t size;
	uint32_t count, free;	/* ever used; the first free one */
	uint64_t seed;
	uint32_t mask;
	uint16_t *chains;
};

static inline uint64_t block_of(const struct node *n)
{
	return (uint64_t)n->high << 32 | n->low;
}

int fifo_new(struct fifo **out, uint64_t blocks, uint64_t most)
{
	struct fifo *f = calloc(1, sizeof(*f));

	*out = NULL;
	if (!f)
		return -ENOMEM;
	while (blocks >> f->shift > most)
		f->shift++;
	f->blocks = (uint32_t)(blocks >> f->shift);
	f->small_max = f->blocks / SMALL_SHARE;
	f->main_max = f->blocks - f->small_max;
	for (int i = 0; i < QUEUES; i++)
		f->queues[i] = (struct queue){ NONE, NONE, 0 };
	f->free = NONE;
	f->seed = hash_seed();
	f->mask = 2 * f->blocks - 1;
	f->chains = malloc(((size_t)f->mask + 1) * sizeof(*f->chains));
	if (!f->chains) {
		fifo_free(f);
		return -ENOMEM;
	}
	memset(f->chains, 0xff, ((size_t)f->mask + 1) * sizeof(*f->chains));
	*out = f;
	return 0;
}

int fifo_copy(struct fifo **out, const struct fifo *from)
{
	struct fifo *f = malloc(sizeof(*f));

	*out = NULL;
	if (!f)
		return -ENOMEM;
	*f = *from;
	f->nodes = array_copy(from->nodes, from->size, sizeof(*f->nodes));
	f->chains = array_copy(from->chains, (size_t)from->mask + 1,
			       sizeof(*f->chains));
	if ((from->nodes && !f->nodes) || !f->chains) {
		fifo_free(f);
		return -ENOMEM;
	}
	*out = f;
	return 0;
}

unsigned int fifo_shift(const struct fifo *f)
{
	return f->shift;
}

/* --- queues --------------------------------------------------------------- */

static void put(struct fifo *f, enum where where, uint32_t n)
{
	struct queue *q = &f->queues[where];
	struct node *node = &f->nodes[n];

	node->where = where & 3;
	node->older = (uint16_t)q->newest;
	node->newer = NONE;
	if (q->newest != NONE)
		f->nodes[q->newest].newer = (uint16_t)n;
	else
		q->oldest = n;
	q->newest = n;
	q->count++;
}

static void take(struct fifo *f, uint32_t n)
{
	struct node *node = &f->nodes[n];
	struct queue *q = &f->queues[node->where];

	if (node->newer != NONE)
		f->nodes[node->newer].older = node->older;
	else
		q->newest = node->older;
	if (node->older != NONE)
		f->nodes[node->older].newer = node->newer;
	else
		q->oldest = node->newer;
	q->count--;
}

/* --- nodes ---------------------------------------------------------------- */

static uint16_t *chain_of(const struct fifo *f, uint64_t block)
{
	return &f->chains[hash_mix(f->seed, block) * f->seed >> 32 & f->mask];
}

static uint32_t find(const struct fifo *f, uint64_t block)
{
	uint32_t n = *chain_of(f, block);

	while (n != NONE && block_of(&f->nodes[n]) != block)
		n = f->nodes[n].chain;
	return n;
}

/* NONE: no memory */
static uint32_t new_node(struct fifo *f, uint64_t block)
{
	uint16_t *chain = chain_of(f, block);
	uint32_t n = f->free;
	struct node *list;

	if (n != NONE) {
		f->free = f->nodes[n].older;
	} else {
		list = array_reserve(f->nodes, f->count, &f->size, FIRST,
				     sizeof(*list));
		if (!list)
			return NONE;
		f->nodes = list;
		n = f->count++;
	}
	f->nodes[n] = (struct node){ .chain = *chain, .low = (uint32_t)block };
	f->nodes[n].high = block >> 32 & ((1 << (SAMPLE_BLOCK_BITS - 32)) - 1);
	*chain = (uint16_t)n;
	return n;
}

/* One that is in no queue. */
static void forget(struct fifo *f, uint32_t n)
{
	uint16_t *at = chain_of(f, block_of(&f->nodes[n]));

	while (*at != n)
		at = &f->nodes[*at].chain;
	*at = f->nodes[n].chain;
	f->nodes[n].where = FREE;
	f->nodes[n].older = (uint16_t)f->free;
	f->free = n;
}

/* --- eviction ------------------------------------------------------------- */

static void evict_main(struct fifo *f)
{
	uint32_t n = f->queues[MAIN].oldest;

	while (f->nodes[n].uses) {
		f->nodes[n].uses--;
		take(f, n);
		put(f, MAIN, n);
		n = f->queues[MAIN].oldest;
	}
	take(f, n);
	forget(f, n);
}

static void make_ghost(struct fifo *f, uint32_t n)
{
	uint32_t oldest;

	f->nodes[n].uses = f->nodes[n].dirty = 0;
	put(f, GHOST, n);
	if (f->queues[GHOST].count <= f->main_max)
		return;
	oldest = f->queues[GHOST].oldest;
	take(f, oldest);
	forget(f, oldest);
}

/* Until a block leaves the cache; those in use move on. */
static void evict_small(struct fifo *f)
{
	while (f->queues[SMALL].count) {
		uint32_t n = f->queues[SMALL].oldest;

		take(f, n);
		if (f->nodes[n].uses < USES_MAIN) {
			make_ghost(f, n);
			return;
		}
		put(f, MAIN, n);
		if (f->queues[MAIN].count > f->main_max)
			evict_main(f);
	}
}

static uint32_t cached(const struct fifo *f)
{
	return f->queues[SMALL].count + f->queues[MAIN].count;
}

static void evict(struct fifo *f)
{
	if (f->queues[SMALL].count >= f->small_max)
		evict_small(f);
	else
		evict_main(f);
}

/* --- accesses ------------------------------------------------------------- */

/* The block's node, now in the cache; NONE: no memory. */
static uint32_t bring_in(struct fifo *f, uint64_t block)
{
	uint32_t n;

	while (cached(f) >= f->blocks)
		evict(f);
	n = find(f, block);
	if (n != NONE) {
		take(f, n);
		put(f, MAIN, n);
		return n;
	}
	n = new_node(f, block);
	if (n != NONE)
		put(f, SMALL, n);
	return n;
}

int fifo_access(struct fifo *f, uint64_t block, bool write,
		struct fifo_access *a)
{
	uint32_t n;

	block &= (1ull << SAMPLE_BLOCK_BITS) - 1;
	n = find(f, block);
	a->served = n != NONE && f->nodes[n].where != GHOST;
	a->saved = a->served && write && f->nodes[n].dirty;
	if (a->served && f->nodes[n].uses < USES_MAX)
		f->nodes[n].uses++;
	if (!a->served)
		n = bring_in(f, block);
	if (n == NONE)
		return -ENOMEM;
	if (write)
		f->nodes[n].dirty = 1;
	return 0;
}

/* --- discards ------------------------------------------------------------- */

/* the node of a range's next block, or one that may be; NONE: no more */
static uint32_t next_in_range(const struct fifo *f, struct sample_range *r)
{
	/* the shorter way */
	bool all = r->last - r->first >= f->count;
	uint64_t end = all ? f->count : r->last - r->first + 1;

	while (r->done < end) {
		uint64_t at = r->done++;
		struct sampled b;
		uint32_t n;

		if (all) {
			if (sample_in_range(r, block_of(&f->nodes[at])))
				return (uint32_t)at;
			continue;
		}
		b = sampled_of((r->first + at) ^ r->salt);
		n = sample_has(b.hash, f->shift) ? find(f, b.block) : NONE;
		if (n != NONE)
			return n;
	}
	return NONE;
}

bool fifo_discard(struct fifo *f, struct sample_range *r, uint64_t *hash,
		  bool *saved)
{
	uint32_t n;

	while ((n = next_in_range(f, r)) != NONE) {
		struct node *node = &f->nodes[n];

		if (node->where == FREE || node->where == GHOST)
			continue;
		*hash = sample_hash(block_of(node));
		*saved = node->dirty;
		take(f, n);
		forget(f, n);
		return true;
	}
	return false;
}

void fifo_free(struct fifo *f)
{
	if (!f)
		return;
	free(f->nodes);
	free(f->chains);
	free(f);
}
