/* SPDX-License-Identifier: GPL-2.0-only */
/* A hash table; see hash.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

#include "base/hash.h"

enum { FIRST_SLOTS = 64 };

/* The kernel's 16 random bytes of each process.  They have other uses, but
 * nothing derived from them leaves the process. */
uint64_t hash_seed(void)
{
	const void *chance = (const void *)getauxval(AT_RANDOM);
	uint64_t words[2] = { 0, 0x9e3779b97f4a7c15u };

	if (chance)
		memcpy(words, chance, sizeof(words));
	return words[1] | 1;
}

uint64_t hash_text(const struct hash *h, const char *text, size_t len)
{
	uint64_t seed = h->seed ? h->seed : hash_seed();
	uint64_t key = len, word;

	for (; len > sizeof(word); len -= sizeof(word)) {
		memcpy(&word, text, sizeof(word));
		key = hash_mix(seed, key ^ word) + seed;
		text += sizeof(word);
	}
	word = 0;
	memcpy(&word, text, len);
	return hash_mix(seed, key ^ word) + seed;
}

void hash_free(struct hash *h)
{
	free(h->slots);
	*h = (struct hash){ 0 };
}

/* The slot of key, or the empty one where it would go. */
static struct hash_slot *find(const struct hash *h, uint64_t key)
{
	size_t i = hash_home(h->seed, key, h->mask);

	while (h->slots[i].value && h->slots[i].key != key)
		i = (i + 1) & h->mask;
	return &h->slots[i];
}

static int grow(struct hash *h)
{
	size_t size = h->slots ? 2 * (h->mask + 1) : FIRST_SLOTS;
	struct hash bigger = {
		.seed = h->seed,
		.slots = calloc(size, sizeof(*bigger.slots)),
		.mask = size - 1,
		.count = h->count,
	};

	if (!bigger.slots)
		return -ENOMEM;
	if (!h->slots)
		bigger.seed = hash_seed();
	for (size_t i = 0; h->slots && i <= h->mask; i++)
		if (h->slots[i].value)
			*find(&bigger, h->slots[i].key) = h->slots[i];
	free(h->slots);
	*h = bigger;
	return 0;
}

void **hash_place(struct hash *h, uint64_t key)
{
	struct hash_slot *s;

	if ((!h->slots || h->count >= (h->mask + 1) / 4 * 3) && grow(h))
		return NULL;
	s = find(h, key);
	h->count += !s->value;
	s->key = key;
	return &s->value;
}

int hash_put(struct hash *h, uint64_t key, void *value)
{
	void **place = hash_place(h, key);

	if (!place)
		return -ENOMEM;
	*place = value;
	return 0;
}

/* Moves later slots up, so that no probe stops at the hole. */
static void close_hole(struct hash *h, size_t hole)
{
	for (size_t i = (hole + 1) & h->mask; h->slots[i].value;
	     i = (i + 1) & h->mask) {
		size_t home = hash_home(h->seed, h->slots[i].key, h->mask);

		if (((i - home) & h->mask) >= ((i - hole) & h->mask)) {
			h->slots[hole] = h->slots[i];
			hole = i;
		}
	}
	h->slots[hole].value = NULL;
}

void *hash_del(struct hash *h, uint64_t key)
{
	struct hash_slot *s;
	void *value;

	if (!h->count)
		return NULL;
	s = find(h, key);
	value = s->value;
	if (value) {
		close_hole(h, (size_t)(s - h->slots));
		h->count--;
	}
	return value;
}
