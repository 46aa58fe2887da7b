/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The distinct texts of a column, numbered from 0 in order of appearance, in
 * Parquet's PLAIN encoding: each a 32-bit length and the bytes.
 */
#ifndef EMIT_PARQUET_DICTIONARY_H
#define EMIT_PARQUET_DICTIONARY_H

#include <endian.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/hash.h"
#include "base/hint.h"
#include "emit/parquet/chain.h"

enum {
	DICTIONARY_RECENT = 64,	/* a power of two */
	DICTIONARY_BOUND = 256	/* bytes of the lowest and highest text */
};

/* a recent text's ends and number */
struct dictionary_recent {
	uint64_t head, tail;
	uint32_t len;		/* UINT32_MAX: none */
	uint32_t number;
};

struct dictionary {
	struct chain plain;	/* all texts */
	const uint8_t **entries;	/* each text's length in plain */
	uint32_t *slots;	/* a hash of numbers plus one; 0: empty */
	uint32_t count, size, mask;	/* of texts, entries, slots */
	uint64_t seed;		/* texts are input: see base/hash.h */
	struct dictionary_recent recent[DICTIONARY_RECENT];
};

/* the lowest and highest text by unsigned bytes */
struct dictionary_bounds {
	bool known;		/* there are texts, and both fit */
	uint32_t low_len, high_len;
	char low[DICTIONARY_BOUND], high[DICTIONARY_BOUND];
};

/* blocks come from the pool, which counts tables, too */
void dictionary_init(struct dictionary *d, struct chain_pool *pool);

void dictionary_free(struct dictionary *d);

/* removes all texts, and returns their blocks unless the caller took them */
void dictionary_clear(struct dictionary *d);

/* a text by its number, until dictionary_clear() */
static inline const char *dictionary_text(const struct dictionary *d,
					  uint32_t number, uint32_t *len)
{
	memcpy(len, d->entries[number], sizeof(*len));
	*len = le32toh(*len);
	return (const char *)d->entries[number] + sizeof(*len);
}

/* copies the bounds, from all texts */
void dictionary_bounds(const struct dictionary *d,
		       struct dictionary_bounds *b);

/* slow path of dictionary_number(); seen: the text's recent entry */
int dictionary_find(struct dictionary *d, struct dictionary_recent *seen,
		    const char *text, uint32_t len, uint32_t *number);

/* The first and last 8 bytes, which are all of a text of up to 16. */
static inline void dictionary_ends(const char *text, uint32_t len,
				   struct dictionary_recent *r)
{
	uint32_t head, tail;

	r->head = r->tail = 0;
	r->len = len;
	if (len >= sizeof(r->head)) {
		memcpy(&r->head, text, sizeof(r->head));
		memcpy(&r->tail, text + len - sizeof(r->tail), sizeof(r->tail));
	} else if (len >= sizeof(head)) {
		memcpy(&head, text, sizeof(head));
		memcpy(&tail, text + len - sizeof(tail), sizeof(tail));
		r->head = (uint64_t)tail << 32 | head;
	} else if (len) {
		r->head = (uint64_t)(uint8_t)text[0] |
			(uint64_t)(uint8_t)text[len / 2] << 8 |
			(uint64_t)(uint8_t)text[len - 1] << 16;
	}
}

/* the index in recent of a text with these ends */
static inline unsigned int dictionary_home(const struct dictionary_recent *r)
{
	uint64_t mixed = (r->head ^ (r->tail << 1 | r->tail >> 63)) + r->len;

	return hash_spread(mixed, 6);
}

/* whether texts with equal ends are equal */
static inline bool dictionary_same(const struct dictionary *d, uint32_t number,
				   const char *text, uint32_t len)
{
	uint32_t its_len;

	return len <= 16 ||
		!memcmp(dictionary_text(d, number, &its_len), text, len);
}

/*
 * The number of a text below UINT32_MAX bytes, which is added if new; 0 or
 * -ENOMEM.  A recent text takes some 30 instructions, and a comparison if it is
 * longer than 16 bytes.
 */
static inline int dictionary_number(struct dictionary *d, const char *text,
				    uint32_t len, uint32_t *number)
{
	struct dictionary_recent r;
	struct dictionary_recent *seen;

	dictionary_ends(text, len, &r);
	seen = &d->recent[dictionary_home(&r)];
	if (LIKELY(seen->head == r.head && seen->tail == r.tail &&
		   seen->len == len &&
		   dictionary_same(d, seen->number, text, len))) {
		*number = seen->number;
		return 0;
	}
	return dictionary_find(d, seen, text, len, number);
}

#endif
