/* SPDX-License-Identifier: GPL-2.0-only */
/* A binary heap of numbers (ids) by key, the least key first. */
#ifndef BASE_HEAP_H
#define BASE_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* the key: rank and then stamp decide between equal times */
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

struct heap_node {
	struct order key;
	uint32_t id;
};

struct heap {
	struct heap_node *nodes;
	size_t count, size;
};

/* an all-zero struct heap is empty */
void heap_free(struct heap *h);

/* 0 or -ENOMEM */
int heap_push(struct heap *h, const struct order *key, uint32_t id);

/* removes the least and returns its id; the heap must not be empty */
uint32_t heap_pop(struct heap *h);

/* replaces the least; faster than heap_pop() and heap_push() */
void heap_replace(struct heap *h, const struct order *key, uint32_t id);

static inline const struct heap_node *heap_top(const struct heap *h)
{
	return h->count ? h->nodes : NULL;
}

#endif
