/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A pool of slots: equal items in one array, known by their number.  A slot
 * that is given back is the next to be used again.  Both take O(1), and memory
 * is only asked for when the pool doubles.
 *
 * Numbers stay; addresses do not: the array may move when a slot is added.
 */
#ifndef BASE_POOL_H
#define BASE_POOL_H

#include <stddef.h>
#include <stdint.h>

#define POOL_NONE UINT32_MAX	/* no slot's number */

/* one with nothing set but item_size is an empty pool */
struct pool {
	size_t item_size;	/* bytes */
	void *items;
	uint32_t *unused;	/* a stack of slots that were given back */
	uint32_t unused_count;
	uint32_t used;		/* slots ever in use: those below */
	uint32_t size;		/* slots there is room for */
};

/* back to an empty pool of such items; what they point to is the caller's */
void pool_free(struct pool *p);

/* slow path of pool_add(): doubles the room; 0, or -ENOMEM */
int pool_grow(struct pool *p);

/*
 * A slot that is not in use, or POOL_NONE: out of memory.  It holds whatever
 * it held when it was given back, and a new one anything.
 */
static inline uint32_t pool_add(struct pool *p)
{
	if (p->unused_count)
		return p->unused[--p->unused_count];
	if (p->used == p->size && pool_grow(p))
		return POOL_NONE;
	return p->used++;
}

/* gives back a slot in use; its item stays as it is until the next add */
static inline void pool_remove(struct pool *p, uint32_t slot)
{
	p->unused[p->unused_count++] = slot;
}

/* the item of a slot below p->used; good until the next add */
static inline void *pool_get(const struct pool *p, uint32_t slot)
{
	return (char *)p->items + slot * p->item_size;
}

/* how many slots are in use */
static inline uint32_t pool_count(const struct pool *p)
{
	return p->used - p->unused_count;
}

#endif
