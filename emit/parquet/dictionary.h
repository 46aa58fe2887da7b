/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The different texts of a column, numbered from 0 in the order in which they
 * come; as bytes they are what Parquet calls PLAIN: a 32-bit length and the
 * text, one after the other.
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

/* a text that was asked for not long ago: its ends, and its number */
struct dictionary_recent {
	uint64_t head, tail;
	uint32_t len;		/* UINT32_MAX: there is none */
	uint32_t number;
};

struct dictionary {
	struct chain plain;	/* all texts */
	const uint8_t **entries;	/* where each begins in it, with its
					 * length; they stay where they are */
	uint32_t *slots;	/* a hash of numbers plus one; 0: empty */
	uint32_t count, size, mask;	/* texts; entries and slots there is
					 * room for */
	uint64_t seed;		/* texts are input: see base/hash.h */
	struct dictionary_recent recent[DICTIONARY_RECENT];
};

/* the first and the last text by its bytes, which are not negative */
struct dictionary_bounds {
	bool known;		/* there are texts, and neither is longer than
				 * there is room for */
	uint32_t low_len, high_len;
	char low[DICTIONARY_BOUND], high[DICTIONARY_BOUND];
};

/* no text yet; blocks come from the pool, which counts tables, too */
void dictionary_init(struct dictionary *d, struct chain_pool *pool);

void dictionary_free(struct dictionary *d);

/* no text any more; the chain of texts, if not taken, is given back */
void dictionary_clear(struct dictionary *d);

/* a text by its number, good until dictionary_clear() */
static inline const char *dictionary_text(const struct dictionary *d,
					  uint32_t number, uint32_t *len)
{
	memcpy(len, d->entries[number], sizeof(*len));
	*len = le32toh(*len);
	return (const char *)d->entries[number] + sizeof(*len);
}

/* copies of the bounds; it looks at every text */
void dictionary_bounds(const struct dictionary *d,
		       struct dictionary_bounds *b);

/* slow path of dictionary_number(); seen: where the text will be recent */
int dictionary_find(struct dictionary *d, struct dictionary_recent *seen,
		    const char *text, uint32_t len, uint32_t *number);

/* The first and the last 8 bytes, which are all of a text up to 16. */
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

/* where a text with these ends is looked for among the recent ones */
static inline unsigned int dictionary_home(const struct dictionary_recent *r)
{
	uint64_t mixed = (r->head ^ (r->tail << 1 | r->tail >> 63)) + r->len;

	return hash_spread(mixed, 6);
}

/* what the ends of a longer text do not tell */
static inline bool dictionary_same(const struct dictionary *d, uint32_t number,
				   const char *text, uint32_t len)
{
	uint32_t its_len;

	return len <= 16 ||
		!memcmp(dictionary_text(d, number, &its_len), text, len);
}

/*
 * The number of a text below UINT32_MAX bytes, which is a new one if there is
 * no such text yet; 0, or -ENOMEM.  What was asked for lately takes some thirty
 * instructions, a text longer than 16 bytes a comparison more.
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
