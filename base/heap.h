/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A binary heap of numbered things under ordering keys: the least key first.
 * The numbers mean something to the caller only.
 */
#ifndef BASE_HEAP_H
#define BASE_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* --- order ---------------------------------------------------------------- */

/*
 * The key by which events are put in order.  Time decides; the two others
 * settle ties; what they mean is the caller's to decide.
 */

struct order {
	uint64_t time;
	uint64_t rank;
	uint64_t stamp;
};

static inline bool order_before(const struct order *a, const struct order *b)
{
	if (a->time != b->time)
		return a->time < b->time;
	if (a->rank != b->rank)
		return a->rank < b->rank;
	return a->stamp < b->stamp;
}

/* --- heap ----------------------------------------------------------------- */

struct heap_node {
	struct order key;
	uint32_t id;
};

struct heap {
	struct heap_node *nodes;
	size_t count, size;
};

/* an all-zero struct heap is an empty one */
void heap_free(struct heap *h);

/* 0, or -ENOMEM */
int heap_push(struct heap *h, const struct order *key, uint32_t id);

/* takes out the least and returns its number; the heap must not be empty */
uint32_t heap_pop(struct heap *h);

/* the least, which there must be, goes out and another comes in: sooner done
 * than one after the other */
void heap_replace(struct heap *h, const struct order *key, uint32_t id);

static inline const struct heap_node *heap_top(const struct heap *h)
{
	return h->count ? h->nodes : NULL;
}

#endif
