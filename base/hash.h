/*
 * A table from 64-bit keys to pointers: open addressing, linear probing,
 * grown at three quarters.  It never frees what it points to.
 */
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

struct hash_slot {
	uint64_t key;
	void *value;		/* NULL: the slot is empty */
};

struct hash {
	struct hash_slot *slots;
	size_t mask;		/* slots - 1, a power of two less one */
	size_t count;
};

/* an all-zero struct hash is an empty table */
void hash_free(struct hash *h);

/* multiplies well enough that low bits of sectors and pids spread */
static inline uint64_t hash_mix(uint64_t key)
{
	key *= 0x9e3779b97f4a7c15u;
	return key ^ key >> 32;
}

/* the value stored under key, or NULL */
static inline void *hash_get(const struct hash *h, uint64_t key)
{
	size_t i;

	if (!h->count)
		return NULL;
	for (i = hash_mix(key) & h->mask; h->slots[i].value;
	     i = (i + 1) & h->mask)
		if (h->slots[i].key == key)
			return h->slots[i].value;
	return NULL;
}

/*
 * Where the value of key is kept, good until the table is next changed.  If it
 * is NULL the key is new, and a value must be stored there at once.  NULL: out
 * of memory.
 */
void **hash_place(struct hash *h, uint64_t key);

/* stores value, not NULL, over what key had; 0, or -ENOMEM */
int hash_put(struct hash *h, uint64_t key, void *value);

/* takes key out and returns its value, or NULL when it had none */
void *hash_del(struct hash *h, uint64_t key);

#endif
