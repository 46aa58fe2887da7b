/* SPDX-License-Identifier: GPL-2.0-only */
/* A radix sort; see radix.h. */
#include "base/radix.h"

enum { BITS = 8, DIGITS = 1 << BITS };

/* at[digit]: the index of its first item */
static void find_places(const struct radix_item *list, size_t n,
			unsigned int shift, size_t at[DIGITS + 1])
{
	for (unsigned int i = 0; i <= DIGITS; i++)
		at[i] = 0;
	for (size_t i = 0; i < n; i++)
		at[(list[i].key >> shift & (DIGITS - 1)) + 1]++;
	for (unsigned int i = 0; i < DIGITS; i++)
		at[i + 1] += at[i];
}

/* the bits in which keys differ */
static uint64_t differing(const struct radix_item *list, size_t n)
{
	uint64_t bits = 0;

	for (size_t i = 1; i < n; i++)
		bits |= list[i].key ^ list[0].key;
	return bits;
}

struct radix_item *radix_sort(struct radix_item *list,
			      struct radix_item *spare, size_t n)
{
	uint64_t bits = differing(list, n);
	unsigned int shift = bits ? (unsigned int)__builtin_ctzll(bits) : 64;

	for (; shift < 64; shift += BITS) {
		struct radix_item *to = spare;
		size_t at[DIGITS + 1];

		if (!(bits >> shift & (DIGITS - 1)))
			continue;
		find_places(list, n, shift, at);
		for (size_t i = 0; i < n; i++)
			to[at[list[i].key >> shift & (DIGITS - 1)]++] =
				list[i];
		spare = list;
		list = to;
	}
	return list;
}
