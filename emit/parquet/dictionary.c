/* SPDX-License-Identifier: GPL-2.0-only */
/* The distinct texts of a column; see dictionary.h. */
#include "emit/parquet/dictionary.h"

#include <endian.h>
#include <errno.h>
#include <stdlib.h>

#include "base/hash.h"

enum {
	FIRST_ENTRIES = 48,	/* three quarters fill a table */
	FIRST_SLOTS = 64,
	KEPT_SLOTS = 4096,	/* larger tables are not reused */
	ENTRY_BYTES = sizeof(uint8_t *),
	SLOT_BYTES = sizeof(uint32_t)
};

static void forget_recent(struct dictionary *d)
{
	for (unsigned int i = 0; i < DICTIONARY_RECENT; i++)
		d->recent[i].len = UINT32_MAX;
}

void dictionary_init(struct dictionary *d, struct chain_pool *pool)
{
	*d = (struct dictionary){
		.plain = { .pool = pool }, .seed = hash_seed()
	};
	forget_recent(d);
}

static size_t table_bytes(const struct dictionary *d)
{
	return d->slots ? ((size_t)d->mask + 1) * SLOT_BYTES +
		(size_t)d->size * ENTRY_BYTES : 0;
}

static void drop_tables(struct dictionary *d)
{
	d->plain.pool->used -= table_bytes(d);
	free(d->entries);
	free(d->slots);
	d->entries = NULL;
	d->slots = NULL;
	d->size = 0;
	d->mask = 0;
}

void dictionary_free(struct dictionary *d)
{
	chain_clear(&d->plain);
	drop_tables(d);
}

void dictionary_clear(struct dictionary *d)
{
	chain_clear(&d->plain);
	forget_recent(d);
	d->count = 0;
	if (d->mask >= KEPT_SLOTS)
		drop_tables(d);
	else if (d->slots)
		memset(d->slots, 0, (d->mask + 1) * sizeof(*d->slots));
}

static uint64_t text_hash(const struct dictionary *d, const char *text,
			  uint32_t len)
{
	const struct hash seeded = { .seed = d->seed };

	return hash_text(&seeded, text, len);
}

/* The slot of a text, or the empty one for it. */
static uint32_t *find_slot(const struct dictionary *d, const char *text,
			   uint32_t len)
{
	uint32_t i = (uint32_t)text_hash(d, text, len) & d->mask;

	for (; d->slots[i]; i = (i + 1) & d->mask) {
		uint32_t its_len;
		const char *its = dictionary_text(d, d->slots[i] - 1,
						  &its_len);

		if (its_len == len && !memcmp(its, text, len))
			break;
	}
	return &d->slots[i];
}

/* New slots, for all entries. */
static int grow_slots(struct dictionary *d, uint32_t size)
{
	uint32_t *slots = calloc(size, sizeof(*slots));

	if (!slots)
		return -ENOMEM;
	free(d->slots);
	d->slots = slots;
	d->mask = size - 1;
	for (uint32_t i = 0; i < d->count; i++) {
		uint32_t len;
		const char *text = dictionary_text(d, i, &len);

		*find_slot(d, text, len) = i + 1;
	}
	return 0;
}

static int grow_tables(struct dictionary *d)
{
	uint32_t size = d->size ? 2 * d->size : FIRST_ENTRIES;
	const uint8_t **entries;
	int err;

	d->plain.pool->used -= table_bytes(d);
	entries = realloc(d->entries, size * sizeof(*entries));
	err = entries ? 0 : -ENOMEM;
	if (entries)
		d->entries = entries;
	if (!err)
		err = grow_slots(d, d->slots ? 2 * (d->mask + 1) :
				 FIRST_SLOTS);
	if (!err)
		d->size = size;
	d->plain.pool->used += table_bytes(d);
	return err;
}

/* Appends the text. */
static int add_entry(struct dictionary *d, const char *text, uint32_t len)
{
	uint32_t head = htole32(len);
	uint8_t *p = chain_room(&d->plain, sizeof(head) + (size_t)len);

	if (!p)
		return -ENOMEM;
	memcpy(p, &head, sizeof(head));
	memcpy(p + sizeof(head), text, len);
	chain_commit(&d->plain, p + sizeof(head) + len);
	d->entries[d->count++] = p;
	return 0;
}

APART int dictionary_find(struct dictionary *d, struct dictionary_recent *seen,
			  const char *text, uint32_t len, uint32_t *number)
{
	uint32_t *slot;

	if (d->count == d->size && grow_tables(d))
		return -ENOMEM;
	slot = find_slot(d, text, len);
	if (!*slot) {
		if (add_entry(d, text, len))
			return -ENOMEM;
		*slot = d->count;
	}
	*number = *slot - 1;
	dictionary_ends(text, len, seen);
	seen->number = *number;
	return 0;
}

/* --- bounds -------------------------------------------------------------- */

struct text {
	const char *bytes;
	uint32_t len;
};

static bool is_less(struct text a, struct text b)
{
	int order = memcmp(a.bytes, b.bytes, a.len < b.len ? a.len : b.len);

	return order ? order < 0 : a.len < b.len;
}

static struct text entry(const struct dictionary *d, uint32_t number)
{
	struct text t;

	t.bytes = dictionary_text(d, number, &t.len);
	return t;
}

void dictionary_bounds(const struct dictionary *d,
		       struct dictionary_bounds *b)
{
	struct text low, high;

	b->known = false;
	if (!d->count)
		return;
	low = high = entry(d, 0);
	for (uint32_t i = 1; i < d->count; i++) {
		struct text its = entry(d, i);

		low = is_less(its, low) ? its : low;
		high = is_less(high, its) ? its : high;
	}
	if (low.len > DICTIONARY_BOUND || high.len > DICTIONARY_BOUND)
		return;
	b->known = true;
	b->low_len = low.len;
	b->high_len = high.len;
	memcpy(b->low, low.bytes, low.len);
	memcpy(b->high, high.bytes, high.len);
}
