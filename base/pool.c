/* SPDX-License-Identifier: GPL-2.0-only */
/* A pool of slots; see pool.h. */
#include <errno.h>
#include <stdlib.h>

#include "base/pool.h"

enum { FIRST_SLOTS = 256 };

void pool_free(struct pool *p)
{
	free(p->items);
	free(p->unused);
	*p = (struct pool){ .item_size = p->item_size };
}

/* The stack has room for every slot, so that pool_remove() cannot fail; pages
 * of it that are never used take no memory. */
int pool_grow(struct pool *p)
{
	uint32_t size = p->size ? 2 * p->size : FIRST_SLOTS;
	uint32_t *unused;
	void *items;

	if (size <= p->size)	/* overflow */
		return -ENOMEM;
	items = reallocarray(p->items, size, p->item_size);
	if (!items)
		return -ENOMEM;
	p->items = items;
	unused = reallocarray(p->unused, size, sizeof(*unused));
	if (!unused)
		return -ENOMEM;
	p->unused = unused;
	p->size = size;
	return 0;
}
