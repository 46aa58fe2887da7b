/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A Bloom filter with one hash: whether a set may have a number.  "No" is
 * certain.  For numbers looked up often and seldom found, as "no" then costs
 * one load and a predictable branch.
 *
 * The caller has the set, BLOOM_WORDS(bits) words of zeros when empty, with a
 * bit for each of 2^bits classes of numbers.  Numbers cannot be removed.
 */
#ifndef BASE_BLOOM_H
#define BASE_BLOOM_H

#include <stdbool.h>
#include <stdint.h>

#include "base/hash.h"

#define BLOOM_WORDS(bits) ((1u << (bits)) / 64)

static inline void bloom_add(uint64_t *set, unsigned int bits, uint64_t number)
{
	uint32_t at = hash_spread(number, bits);

	set[at / 64] |= UINT64_C(1) << at % 64;
}

static inline bool bloom_may_have(const uint64_t *set, unsigned int bits,
				  uint64_t number)
{
	uint32_t at = hash_spread(number, bits);

	return set[at / 64] >> at % 64 & 1;
}

#endif
