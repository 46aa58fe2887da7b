/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * From keys to numbered items, several of which may have one key: those are a
 * chain in the order in which they were added.
 *
 * An item has its entry inside of it, and all items lie in one array, so an
 * index needs no memory but its buckets; those it has not needed yet are not
 * touched.  Keys come from input: where they go depends on a number that is
 * another one in each run.
 */
#ifndef REQUEST_INDEX_H
#define REQUEST_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"

#define INDEX_NONE UINT32_MAX	/* no item's number */

struct index_entry {
	uint64_t mixed;		/* the key and its space */
	uint32_t bucket;	/* of a chain's first: the next chain's first */
	uint32_t next;		/* in the chain; INDEX_NONE behind the last */
	uint32_t prev;		/* before the first: the last */
} __attribute__((packed, aligned(4)));	/* 20 bytes, as there are so many */

struct index {
	char *entries;		/* that of item 0 */
	size_t step;		/* bytes from there to that of item 1 */
	uint32_t items;		/* numbers from here on are in more */
	struct index_entry *more;	/* or NULL */

	uint64_t seed;
	uint32_t *buckets;
	uint32_t mask, most;	/* buckets less 1: in use; there are */
	uint32_t count;		/* chains */
};

/*
 * An empty index over the items of an array: their entries begin at entries
 * and are step bytes apart.  There will be some most items.  0 or -ENOMEM.
 */
int index_init(struct index *x, void *entries, size_t step, uint32_t most);

void index_free(struct index *x);

static inline struct index_entry *index_at(const struct index *x, uint32_t n)
{
	if (n >= x->items)
		return &x->more[n - x->items];
	return (struct index_entry *)(x->entries + (size_t)n * x->step);
}

/*
 * Keys of different spaces do not meet, but by the rarest of chances, which
 * depends on the seed.
 */
static inline uint64_t index_mixed(const struct index *x, uint32_t space,
				   uint64_t key)
{
	return key ^ x->seed * space;
}

static inline uint32_t *index_bucket(const struct index *x, uint64_t mixed)
{
	return &x->buckets[hash_home(x->seed, mixed, x->mask)];
}

/* the first item with that key in the bucket that begins with n */
static inline uint32_t index_find(const struct index *x, uint32_t n,
				  uint64_t mixed)
{
	while (n != INDEX_NONE) {
		const struct index_entry *e = index_at(x, n);

		if (e->mixed == mixed)
			break;
		n = e->bucket;
	}
	return n;
}

/* the first item of a key, or INDEX_NONE */
static inline uint32_t index_first(const struct index *x, uint32_t space,
				   uint64_t key)
{
	uint64_t mixed = index_mixed(x, space, key);

	return index_find(x, *index_bucket(x, mixed), mixed);
}

/* whether n, which is in the index, is under that key */
static inline bool index_is_under(const struct index *x, uint32_t n,
				  uint32_t space, uint64_t key)
{
	return index_at(x, n)->mixed == index_mixed(x, space, key);
}

/* the item that is behind n under its key, or INDEX_NONE */
static inline uint32_t index_next(const struct index *x, uint32_t n)
{
	return index_at(x, n)->next;
}

/* the last item of the chain that begins with first, which may be INDEX_NONE */
static inline uint32_t index_last(const struct index *x, uint32_t first)
{
	return first == INDEX_NONE ? first : index_at(x, first)->prev;
}

/* the item before n, or INDEX_NONE: n is the first */
static inline uint32_t index_before(const struct index *x, uint32_t n)
{
	uint32_t prev = index_at(x, n)->prev;

	return index_at(x, prev)->next == n ? prev : INDEX_NONE;
}

/* puts an item, which is under no key, behind all others of a key */
void index_add(struct index *x, uint32_t n, uint32_t space, uint64_t key);

/* takes an item out that is in the index */
void index_remove(struct index *x, uint32_t n);

#endif
