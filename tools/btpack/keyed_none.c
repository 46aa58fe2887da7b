/* SPDX-License-Identifier: GPL-2.0-only */
/* A build without nettle; see keyed.h. */
#include "tools/btpack/keyed.h"

bool keyed_built(void)
{
	return false;
}

struct keyed *keyed_new(const char *text)
{
	return (void)text, NULL;
}

void keyed_free(struct keyed *k)
{
	(void)k;
}

uint64_t keyed_hash(const struct keyed *k, const char *kind, const void *bytes,
		    size_t len)
{
	return (void)k, (void)kind, (void)bytes, (void)len, 0;
}

void keyed_word(const struct keyed *k, char word[KEYED_WORD], const char *text,
		size_t len)
{
	(void)k, (void)text, (void)len;
	*word = '\0';
}

uint32_t keyed_number(const struct keyed *k, const char *kind,
		      unsigned int bits, uint32_t number)
{
	return (void)k, (void)kind, (void)bits, number;
}
