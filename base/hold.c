/* SPDX-License-Identifier: GPL-2.0-only */
/* Things put in order; see hold.h. */
#include <stdlib.h>

#include "base/hold.h"

enum { FIRST_QUEUES = 64 };

void hold_init(struct hold *h, size_t item_size)
{
	*h = (struct hold){
		.slots.item_size = sizeof(struct hold_slot) + item_size,
	};
}

void hold_free(struct hold *h)
{
	pool_free(&h->slots);
	heap_free(&h->heap);
	free(h->queues);
	h->queues = NULL;
}

static int add_queues(struct hold *h, uint32_t source)
{
	uint32_t count = h->queue_count ? h->queue_count : FIRST_QUEUES;
	struct hold_queue *queues;

	while (count <= source)
		count *= 2;
	queues = reallocarray(h->queues, count, sizeof(*queues));
	if (!queues)
		return -1;
	for (uint32_t i = h->queue_count; i < count; i++)
		queues[i].first = queues[i].last = POOL_NONE;
	h->queues = queues;
	h->queue_count = count;
	return 0;
}

/* A new slot that is in the heap, by itself; or POOL_NONE. */
static uint32_t add_alone(struct hold *h, const struct order *key)
{
	uint32_t i = pool_add(&h->slots);

	if (i == POOL_NONE)
		return i;
	*hold_slot(h, i) = (struct hold_slot){ POOL_NONE, HOLD_ALONE };
	if (heap_push(&h->heap, key, i)) {
		pool_remove(&h->slots, i);
		return POOL_NONE;
	}
	return i;
}

void *hold_add_apart(struct hold *h, uint32_t source, const struct order *key)
{
	uint32_t i;

	if (source != HOLD_ALONE && source >= h->queue_count &&
	    add_queues(h, source))
		return NULL;
	i = add_alone(h, key);
	if (i == POOL_NONE)
		return NULL;
	if (source != HOLD_ALONE && h->queues[source].last == POOL_NONE) {
		h->queues[source] = (struct hold_queue){ *key, i, i };
		hold_slot(h, i)->source = source;
	}
	return hold_slot(h, i) + 1;
}

const void *hold_front(const struct hold *h, uint32_t source)
{
	uint32_t first = source < h->queue_count ? h->queues[source].first :
						   POOL_NONE;

	return first == POOL_NONE ? NULL : hold_slot(h, first) + 1;
}

void *hold_any(const struct hold *h, uint32_t n)
{
	return n < h->slots.used ? hold_slot(h, n) + 1 : NULL;
}
