/* SPDX-License-Identifier: GPL-2.0-only */
/* From keys to numbered items; see index.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/hint.h"
#include "request/index.h"

enum {
	FIRST_BUCKETS = 256,
	CHAINS_PER_BUCKET = 4,	/* when all items have different keys */
};

static uint32_t *new_buckets(uint32_t count)
{
	uint32_t *buckets = malloc(count * sizeof(*buckets));

	if (buckets)
		memset(buckets, 0xff, count * sizeof(*buckets));
	return buckets;
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
	x->buckets = new_buckets(FIRST_BUCKETS);
	return x->buckets ? 0 : -ENOMEM;
}

void index_free(struct index *x)
{
	free(x->buckets);
	*x = (struct index){ 0 };
}

static uint32_t *bucket_of(const struct index *x, const struct index_entry *e)
{
	return &x->buckets[index_bucket(x, e->space, e->key)];
}

static void put_first(struct index *x, uint32_t n, uint32_t *bucket)
{
	index_at(x, n)->bucket = *bucket;
	*bucket = n;
}

/* More buckets; without memory for them it goes on with what it has. */
static void grow(struct index *x)
{
	uint32_t *old = x->buckets, count = x->mask + 1;
	uint32_t *bigger = new_buckets(2 * count);

	if (!bigger)
		return;
	x->buckets = bigger;
	x->mask = 2 * count - 1;
	for (uint32_t i = 0; i < count; i++) {
		uint32_t n = old[i], next;

		for (; n != INDEX_NONE; n = next) {
			next = index_at(x, n)->bucket;
			put_first(x, n, bucket_of(x, index_at(x, n)));
		}
	}
	free(old);
}

/* the first item with the entry's key in its bucket, or INDEX_NONE */
static inline uint32_t find_in(const struct index *x, uint32_t n,
			       const struct index_entry *of)
{
	while (n != INDEX_NONE) {
		const struct index_entry *e = index_at(x, n);

		if (e->key == of->key && e->space == of->space)
			return n;
		n = e->bucket;
	}
	return n;
}

void index_add(struct index *x, uint32_t n, uint32_t space, uint64_t key)
{
	struct index_entry *e = index_at(x, n), *f;
	uint32_t *bucket, first;

	e->key = key;
	e->space = space;
	e->next = INDEX_NONE;
	bucket = bucket_of(x, e);
	first = find_in(x, *bucket, e);
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

/* The first of a chain: the second takes its place, if there is one. */
static void remove_first(struct index *x, uint32_t n)
{
	struct index_entry *e = index_at(x, n);
	uint32_t *link = bucket_of(x, e);

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
	first = index_first(x, e->space, e->key);
	index_at(x, first)->prev = e->prev;
}
