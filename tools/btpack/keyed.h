/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What names and numbers become by a key: the same by the same key, unlike by
 * another one, and not to be found out without it (HMAC-SHA256).
 */
#ifndef TOOLS_BTPACK_KEYED_H
#define TOOLS_BTPACK_KEYED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct keyed;

enum { KEYED_WORD = 13 };	/* bytes of a word, with its NUL */

/* whether this build has nettle; without it there is no struct keyed */
bool keyed_built(void);

/* text is the key, or NULL: a random one.  NULL: no memory, no random numbers,
 * or no nettle. */
struct keyed *keyed_new(const char *text);
void keyed_free(struct keyed *k);

/* 64 bits for len bytes of a kind, such as "pid" */
uint64_t keyed_hash(const struct keyed *k, const char *kind, const void *bytes,
		    size_t len);

/* a word for a text of len bytes: six syllables, so that some 100,000 texts
 * hardly share one */
void keyed_word(const struct keyed *k, char word[KEYED_WORD], const char *text,
		size_t len);

/* one of 2^bits numbers, an even number of bits up to 32, for another: no two
 * become the same */
uint32_t keyed_number(const struct keyed *k, const char *kind,
		      unsigned int bits, uint32_t number);

#endif
