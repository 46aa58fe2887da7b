/* SPDX-License-Identifier: GPL-2.0-only */
/* A binary heap; see heap.h. */
#include <errno.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/heap.h"

enum { FIRST_NODES = 1024 };

void heap_free(struct heap *h)
{
	free(h->nodes);
	*h = (struct heap){ 0 };
}

static int grow(struct heap *h)
{
	struct heap_node *nodes = array_reserve(h->nodes, h->count, &h->size,
						FIRST_NODES, sizeof(*nodes));

	if (!nodes)
		return -ENOMEM;
	h->nodes = nodes;
	return 0;
}

int heap_push(struct heap *h, const struct order *key, uint32_t id)
{
	size_t at = h->count;

	if (at == h->size && grow(h))
		return -ENOMEM;
	h->count++;
	for (; at; at = (at - 1) / 2) {
		if (!order_before(key, &h->nodes[(at - 1) / 2].key))
			break;
		h->nodes[at] = h->nodes[(at - 1) / 2];
	}
	h->nodes[at] = (struct heap_node){ *key, id };
	return 0;
}

/* Puts a node into the empty top, and moves it down to its place. */
static inline void sink(struct heap *h, const struct heap_node *it)
{
	struct heap_node *n = h->nodes;
	size_t at = 0, child;

	while ((child = 2 * at + 1) < h->count) {
		if (child + 1 < h->count &&
		    order_before(&n[child + 1].key, &n[child].key))
			child++;
		if (!order_before(&n[child].key, &it->key))
			break;
		n[at] = n[child];
		at = child;
	}
	n[at] = *it;
}

uint32_t heap_pop(struct heap *h)
{
	uint32_t top = h->nodes[0].id;
	struct heap_node last = h->nodes[--h->count];

	sink(h, &last);
	return top;
}

void heap_replace(struct heap *h, const struct order *key, uint32_t id)
{
	const struct heap_node new = { *key, id };

	sink(h, &new);
}
