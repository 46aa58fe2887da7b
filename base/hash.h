/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A hash table from 64-bit keys to pointers, or to numbers: open addressing,
 * linear probing, grown at three quarters.  It never frees values.
 *
 * Keys may come from hostile input, so the seed is different in each run, and
 * colliding keys cannot be computed.  Output must not depend on slot order.
 */
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

#include "base/wide.h"

struct hash_slot {
	uint64_t key;
	void *value;		/* NULL: empty; or the number plus 1 */
};

struct hash {
	uint64_t seed;		/* set with the first slots */
	struct hash_slot *slots;
	size_t mask;		/* number of slots, a power of two, minus 1 */
	size_t count;
};

/* an all-zero struct hash is an empty table */
void hash_free(struct hash *h);

/* the seed of this run, the same for all tables */
uint64_t hash_seed(void);

/*
 * One of 2^bits places for a key, bits from 1 to 32, without seed: for small
 * tables in which collisions only cost time.
 */
static inline uint32_t hash_spread(uint64_t key, unsigned int bits)
{
	return (uint32_t)(key * 0x9e3779b97f4a7c15u >> (64 - bits));
}

/* 64 bits; which keys collide depends on the seed */
static inline uint64_t hash_mix(uint64_t seed, uint64_t key)
{
	struct wide p = wide_product(key, seed);

	return p.high ^ p.low;
}

/*
 * The slot where the search for key starts, of mask + 1 slots.  Without the
 * second product, keys in equal steps cluster with one seed in a hundred.
 */
static inline size_t hash_home(uint64_t seed, uint64_t key, size_t mask)
{
	return (hash_mix(seed, key) * seed >> 32) & mask;
}

/* A key for len bytes in this table; collisions are as rare as chance has it,
 * and depend on the seed. */
uint64_t hash_text(const struct hash *h, const char *text, size_t len);

/* the value stored under key, or NULL */
static inline void *hash_get(const struct hash *h, uint64_t key)
{
	size_t i;

	if (!h->count)
		return NULL;
	for (i = hash_home(h->seed, key, h->mask); h->slots[i].value;
	     i = (i + 1) & h->mask)
		if (h->slots[i].key == key)
			return h->slots[i].value;
	return NULL;
}

/*
 * The place of key's value, valid until the table changes.  If it has NULL, the
 * key is new, and the caller must store a value there.  NULL: out of memory.
 */
void **hash_place(struct hash *h, uint64_t key);

/* sets key's value, not NULL; 0 or -ENOMEM */
int hash_put(struct hash *h, uint64_t key, void *value);

/* the number stored under key, or -1 */
static inline int64_t hash_get_number(const struct hash *h, uint64_t key)
{
	return (int64_t)(uintptr_t)hash_get(h, key) - 1;
}

/* the number in a slot that is not empty */
static inline uint32_t hash_slot_number(const struct hash_slot *s)
{
	return (uint32_t)((uintptr_t)s->value - 1);
}

/* sets key's number, below UINT32_MAX; 0 or -ENOMEM */
static inline int hash_put_number(struct hash *h, uint64_t key, uint32_t number)
{
	return hash_put(h, key, (void *)((uintptr_t)number + 1));
}

/* removes key; returns its value, or NULL */
void *hash_del(struct hash *h, uint64_t key);

#endif
