/* SPDX-License-Identifier: GPL-2.0-only */
/* Numbers of array items, taken and given back, and lists that link them. */
#ifndef REQUEST_SLOTS_H
#define REQUEST_SLOTS_H

#include <stdint.h>

#include "request/items.h"

static inline void unused_init(struct unused *u, uint32_t size)
{
	*u = (struct unused){ .first = OPEN_NONE, .size = size };
}

/* The number of a new item; next is the link of unused items. */
#define TAKE(u, items, next) \
	((u).first != OPEN_NONE ? unused_again(&(u), (items)[(u).first].next) : \
				  unused_fresh(&(u)))

static inline uint32_t unused_again(struct unused *u, uint32_t next)
{
	uint32_t n = u->first;

	u->first = next;
	return n;
}

static inline uint32_t unused_fresh(struct unused *u)
{
	return u->fresh < u->size ? u->fresh++ : OPEN_NONE;
}

/* the new value of n's link */
static inline uint32_t unused_give(struct unused *u, uint32_t n)
{
	uint32_t next = u->first;

	u->first = n;
	return next;
}

/* Lists by number, for items with both links. */
#define LIST_APPEND(l, items, n, before, after) do { \
	(items)[n].before = (l)->last; \
	(items)[n].after = OPEN_NONE; \
	if ((l)->last != OPEN_NONE) \
		(items)[(l)->last].after = (n); \
	else \
		(l)->first = (n); \
	(l)->last = (n); \
	(l)->count++; \
} while (0)

#define LIST_REMOVE(l, items, n, before, after) do { \
	if ((items)[n].before != OPEN_NONE) \
		(items)[(items)[n].before].after = (items)[n].after; \
	else \
		(l)->first = (items)[n].after; \
	if ((items)[n].after != OPEN_NONE) \
		(items)[(items)[n].after].before = (items)[n].before; \
	else \
		(l)->last = (items)[n].before; \
	(l)->count--; \
} while (0)

#endif
