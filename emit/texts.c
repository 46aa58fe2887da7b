/* SPDX-License-Identifier: GPL-2.0-only */
/* Short texts that have been rendered before; see texts.h. */
#include <stdlib.h>
#include <string.h>

#include "emit/texts.h"

#define NO_KEY UINT64_MAX

struct texts *texts_new(void)
{
	struct texts *t = calloc(1, sizeof(*t));

	if (!t)
		return NULL;
	for (int i = 0; i < TEXTS; i++)
		t->list[i].key = NO_KEY;
	return t;
}

void texts_set(struct texts *t, uint64_t key, const char *chars, size_t len)
{
	struct text *text = &t->list[hash_spread(key, TEXTS_BITS)];

	if (len > TEXT_MAX)
		return;
	text->key = key;
	text->len = (uint8_t)len;
	memcpy(text->chars, chars, len);
}
