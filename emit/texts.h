/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Short texts that have been rendered before, by what they depend on: they are
 * copied, not rendered again.  Where two meet, the last one stays.
 */
#ifndef EMIT_TEXTS_H
#define EMIT_TEXTS_H

#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"

enum {
	TEXTS_BITS = 8,
	TEXTS = 1 << TEXTS_BITS,
	TEXT_MAX = 23,		/* longer ones are not kept */
};

struct text {
	uint64_t key;
	uint8_t len;
	char chars[TEXT_MAX];	/* can be copied whole */
};

struct texts {
	struct text list[TEXTS];
};

/* no texts yet; to be free()d.  NULL: out of memory */
struct texts *texts_new(void);

/* the text of that key, which is not UINT64_MAX; NULL: it is not there */
static inline const struct text *texts_get(const struct texts *t, uint64_t key)
{
	const struct text *text = &t->list[hash_spread(key, TEXTS_BITS)];

	return text->key == key ? text : NULL;
}

/* keeps len bytes as the text of that key, if they are not too many */
void texts_set(struct texts *t, uint64_t key, const char *chars, size_t len);

#endif
