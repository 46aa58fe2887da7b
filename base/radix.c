/* SPDX-License-Identifier: GPL-2.0-only */
/* A radix sort; see radix.h. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/radix.h"

enum { BITS_MAX = 11 };		/* of a round: its places fit in a L1 cache */

static unsigned int width_of(uint64_t n)
{
	return n ? 64 - (unsigned int)__builtin_clzll(n) : 0;
}

/* Puts each to its place among those before it: true if all were near theirs,
 * else some are left as they were. */
static bool insert_all(struct radix_item *list, size_t n)
{
	size_t steps = 0;

	for (size_t i = 1; i < n; i++) {
		const struct radix_item one = list[i];
		size_t at = i;

		if (list[i - 1].key <= one.key)
			continue;
		for (; at && list[at - 1].key > one.key; at--)
			list[at] = list[at - 1];
		list[at] = one;
		steps += i - at;
		if (steps > 4 * i + 16)
			return false;
	}
	return true;
}

/* the bits in which keys differ */
static uint64_t find_differing(const struct radix_item *list, size_t n)
{
	uint64_t bits = 0;

	for (size_t i = 1; i < n; i++)
		bits |= list[i].key ^ list[0].key;
	return bits;
}

/* Copies items in order of these bits; equal ones stay as they were. */
static void spread(const struct radix_item *list, struct radix_item *to,
		   size_t n, unsigned int shift, unsigned int bits)
{
	size_t places[1 << BITS_MAX], at = 0;
	uint64_t mask = (UINT64_C(1) << bits) - 1;

	memset(places, 0, (mask + 1) * sizeof(*places));
	for (size_t i = 0; i < n; i++)
		places[list[i].key >> shift & mask]++;
	for (size_t i = 0; i <= mask; i++) {
		size_t count = places[i];

		places[i] = at;
		at += count;
	}
	for (size_t i = 0; i < n; i++)
		to[places[list[i].key >> shift & mask]++] = list[i];
}

struct radix_item *radix_sort(struct radix_item *list,
			      struct radix_item *spare, size_t n)
{
	unsigned int shift, end, rounds, bits, most = width_of(n);
	uint64_t differing;

	if (insert_all(list, n))
		return list;
	differing = find_differing(list, n);
	/* more places than items would be more work than another round */
	most = most < BITS_MAX ? most : BITS_MAX;
	shift = (unsigned int)__builtin_ctzll(differing);
	end = width_of(differing);
	rounds = (end - shift + most - 1) / most;
	bits = (end - shift + rounds - 1) / rounds;
	for (; shift < end; shift += bits) {
		struct radix_item *to = spare;

		if (!(differing >> shift & ((UINT64_C(1) << bits) - 1)))
			continue;
		spread(list, to, n, shift, bits);
		spare = list;
		list = to;
	}
	return list;
}
