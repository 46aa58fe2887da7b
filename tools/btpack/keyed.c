/* SPDX-License-Identifier: GPL-2.0-only */
/* Names and numbers by a key; see keyed.h. */
#include <nettle/hmac.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "base/little.h"
#include "tools/btpack/keyed.h"

enum { RANDOM = 32, HASH = 8, ROUNDS = 4 };

struct keyed {
	struct hmac_sha256_ctx hmac;	/* with the key, and nothing else */
};

bool keyed_built(void)
{
	return true;
}

struct keyed *keyed_new(const char *text)
{
	struct keyed *k = malloc(sizeof(*k));
	uint8_t bytes[RANDOM];

	if (!k)
		return NULL;
	if (text) {
		hmac_sha256_set_key(&k->hmac, strlen(text),
				    (const uint8_t *)text);
		return k;
	}
	if (getrandom(bytes, sizeof(bytes), 0) != sizeof(bytes)) {
		free(k);
		return NULL;
	}
	hmac_sha256_set_key(&k->hmac, sizeof(bytes), bytes);
	return k;
}

void keyed_free(struct keyed *k)
{
	free(k);
}

uint64_t keyed_hash(const struct keyed *k, const char *kind, const void *bytes,
		    size_t len)
{
	struct hmac_sha256_ctx ctx = k->hmac;
	uint8_t digest[HASH];

	/* the NUL parts it from the bytes */
	hmac_sha256_update(&ctx, strlen(kind) + 1, (const uint8_t *)kind);
	hmac_sha256_update(&ctx, len, bytes);
	hmac_sha256_digest(&ctx, sizeof(digest), digest);
	return get_le64(digest);
}

void keyed_word(const struct keyed *k, char word[KEYED_WORD], const char *text,
		size_t len)
{
	static const char first[] = "bdfghjklmnprstvz", second[] = "aeiou";
	uint64_t hash = keyed_hash(k, "word", text, len);
	size_t firsts = sizeof(first) - 1, seconds = sizeof(second) - 1;

	for (unsigned int i = 0; i < KEYED_WORD - 1; i += 2) {
		word[i] = first[hash % firsts];
		hash /= firsts;
		word[i + 1] = second[hash % seconds];
		hash /= seconds;
	}
	word[KEYED_WORD - 1] = '\0';
}

/* a Feistel network */
uint32_t keyed_number(const struct keyed *k, const char *kind,
		      unsigned int bits, uint32_t number)
{
	const unsigned int half = bits / 2;
	const uint32_t mask = (UINT32_C(1) << half) - 1;
	uint32_t left = number >> half & mask, right = number & mask;

	for (uint8_t round = 0; round < ROUNDS; round++) {
		uint8_t bytes[6] = { round, (uint8_t)bits };
		uint32_t old = left;

		put_le32(bytes + 2, right);
		left = right;
		right = old ^ ((uint32_t)keyed_hash(k, kind, bytes,
						    sizeof(bytes)) & mask);
	}
	return left << half | right;
}
