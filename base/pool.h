/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A pool of equal items (slots) in one array, which is doubled when it is full.
 * Slots keep their numbers, but not their addresses: adding may move the array.
 * The last slot removed is the next one used.
 */
#ifndef BASE_POOL_H
#define BASE_POOL_H

#include <stddef.h>
#include <stdint.h>

#define POOL_NONE UINT32_MAX	/* no slot's number */

/* an empty pool has only item_size set */
struct pool {
	size_t item_size;	/* bytes */
	void *items;
	uint32_t *unused;	/* a stack of removed slots */
	uint32_t unused_count;
	uint32_t used;		/* slots below were ever in use */
	uint32_t size;		/* capacity */
};

/* makes it an empty pool; the caller frees what items point to */
void pool_free(struct pool *p);

/* slow path of pool_add(); 0 or -ENOMEM */
int pool_grow(struct pool *p);

/* A slot, which has the item removed from it, or any bytes; POOL_NONE: out of
 * memory. */
static inline uint32_t pool_add(struct pool *p)
{
	if (p->unused_count)
		return p->unused[--p->unused_count];
	if (p->used == p->size && pool_grow(p))
		return POOL_NONE;
	return p->used++;
}

/* removes a slot; its item stays as it is until the next add */
static inline void pool_remove(struct pool *p, uint32_t slot)
{
	p->unused[p->unused_count++] = slot;
}

/* the item of a slot below p->used; valid until the next add */
static inline void *pool_get(const struct pool *p, uint32_t slot)
{
	return (char *)p->items + slot * p->item_size;
}

/* slots in use */
static inline uint32_t pool_count(const struct pool *p)
{
	return p->used - p->unused_count;
}

#endif
