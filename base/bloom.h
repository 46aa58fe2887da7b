/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A set of numbers that can be asked whether it may have one: no is certain,
 * yes is not, the less the more numbers there are.  For what is looked up often
 * and found seldom: an answer costs one bit of a few KiB, and it is the same
 * nearly always, which the processor foresees.
 *
 * The set is its user's, all zeros when empty: BLOOM_WORDS(bits) words, one bit
 * for each of 2^bits classes of numbers.  Nothing can be taken out.
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
