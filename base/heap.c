/* SPDX-License-Identifier: GPL-2.0-only */
/* A binary heap; see heap.h. */
#include <errno.h>
#include <stdlib.h>

#include "base/heap.h"

enum { FIRST_NODES = 1024 };

void heap_free(struct heap *h)
{
	free(h->nodes);
	*h = (struct heap){ 0 };
}

static int grow(struct heap *h)
{
	size_t size = h->size ? 2 * h->size : FIRST_NODES;
	struct heap_node *nodes = realloc(h->nodes, size * sizeof(*nodes));

	if (!nodes)
		return -ENOMEM;
	h->nodes = nodes;
	h->size = size;
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

uint32_t heap_pop(struct heap *h)
{
	struct heap_node *n = h->nodes, last = n[--h->count];
	uint32_t top = n[0].id;
	size_t at = 0, child;

	while ((child = 2 * at + 1) < h->count) {
		if (child + 1 < h->count &&
		    order_before(&n[child + 1].key, &n[child].key))
			child++;
		if (!order_before(&n[child].key, &last.key))
			break;
		n[at] = n[child];
		at = child;
	}
	n[at] = last;
	return top;
}
