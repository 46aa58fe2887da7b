/* SPDX-License-Identifier: GPL-2.0-only */
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/hint.h"
#include "request/items.h"

/* --- index ---------------------------------------------------------------- */

enum {
	FIRST_BUCKETS = 256,
	CHAINS_PER_BUCKET = 4,	/* if all items have different keys */
};

static void clear(uint32_t *buckets, uint32_t count)
{
	memset(buckets, 0xff, count * sizeof(*buckets));
}

int index_init(struct index *x, void *entries, size_t step, uint32_t most)
{
	uint32_t buckets = FIRST_BUCKETS;

	while (buckets < most / CHAINS_PER_BUCKET)
		buckets *= 2;
	*x = (struct index){
		.entries = entries,
		.step = step,
		.items = UINT32_MAX,
		.seed = hash_seed(),
		.mask = FIRST_BUCKETS - 1,
		.most = buckets - 1,
	};
	x->buckets = malloc(buckets * sizeof(*x->buckets));
	if (!x->buckets)
		return -ENOMEM;
	clear(x->buckets, FIRST_BUCKETS);
	return 0;
}

void index_free(struct index *x)
{
	free(x->buckets);
	*x = (struct index){ 0 };
}

static void put_first(struct index *x, uint32_t n, uint32_t *bucket)
{
	index_at(x, n)->bucket = *bucket;
	*bucket = n;
}

/* Doubles the buckets: chains of an old one stay or move to a new one. */
static APART void grow(struct index *x)
{
	uint32_t count = x->mask + 1;

	clear(x->buckets + count, count);
	x->mask = 2 * count - 1;
	for (uint32_t i = 0; i < count; i++) {
		uint32_t n = x->buckets[i], next;

		x->buckets[i] = INDEX_NONE;
		for (; n != INDEX_NONE; n = next) {
			const struct index_entry *e = index_at(x, n);

			next = e->bucket;
			put_first(x, n, index_bucket(x, e->mixed));
		}
	}
}

void index_add(struct index *x, uint32_t n, uint32_t space, uint64_t key)
{
	struct index_entry *e = index_at(x, n), *f;
	uint32_t *bucket, first;

	e->mixed = index_mixed(x, space, key);
	e->next = INDEX_NONE;
	bucket = index_bucket(x, e->mixed);
	first = index_find(x, *bucket, e->mixed);
	if (first == INDEX_NONE) {
		e->prev = n;
		put_first(x, n, bucket);
		if (UNLIKELY(x->count++ > x->mask && x->mask < x->most))
			grow(x);
		return;
	}
	f = index_at(x, first);
	e->prev = f->prev;
	index_at(x, f->prev)->next = n;
	f->prev = n;
}

/* Removes the first of a chain, which the second replaces. */
static void remove_first(struct index *x, uint32_t n)
{
	struct index_entry *e = index_at(x, n);
	uint32_t *link = index_bucket(x, e->mixed);

	while (*link != n)
		link = &index_at(x, *link)->bucket;
	if (e->next == INDEX_NONE) {
		*link = e->bucket;
		x->count--;
		return;
	}
	*link = e->next;
	index_at(x, e->next)->bucket = e->bucket;
	index_at(x, e->next)->prev = e->prev;
}

void index_remove(struct index *x, uint32_t n)
{
	struct index_entry *e = index_at(x, n);
	uint32_t first;

	if (index_at(x, e->prev)->next != n) {
		remove_first(x, n);
		return;
	}
	index_at(x, e->prev)->next = e->next;
	if (e->next != INDEX_NONE) {
		index_at(x, e->next)->prev = e->prev;
		return;
	}
	first = index_find(x, *index_bucket(x, e->mixed), e->mixed);
	index_at(x, first)->prev = e->prev;
}
