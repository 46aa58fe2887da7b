/* SPDX-License-Identifier: GPL-2.0-only */
/* A radix sort; see radix.h. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/hint.h"
#include "base/radix.h"

enum { BITS_MAX = 11 };		/* of a round: its places fit in a L1 cache */

static unsigned int width_of(uint64_t n)
{
	return n ? 64 - (unsigned int)__builtin_clzll(n) : 0;
}

/*
 * Puts each to its place among those before it, or, if that is far from their
 * end, to spare: the number of those, or n if they are many.  Then they are
 * between those in order and those not looked at yet: nothing is before one
 * with the same key that came earlier.
 */
static size_t part(struct radix_item *list, struct radix_item *spare, size_t n)
{
	size_t near = 0, far = 0;

	while (near + far < n) {
		const struct radix_item one = list[near + far];
		size_t at = radix_place(list, near, one.key);

		if (LIKELY(at <= near)) {
			list[at] = one;
			near++;
			continue;
		}
		spare[far++] = one;
		if (far > (near + far) / 8) {
			memcpy(list + near, spare, far * sizeof(*list));
			return n;
		}
	}
	return far;
}

/* Merges far items in order into those of list before room for them. */
static void merge(struct radix_item *list, size_t near,
		  const struct radix_item *from, size_t far)
{
	struct radix_item *to = list + near + far, *old = list + near;

	while (far)
		*--to = old > list && old[-1].key > from[far - 1].key ?
			*--old : from[--far];
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

/* n is above 1 */
static struct radix_item *sort_by_bits(struct radix_item *list,
				       struct radix_item *spare, size_t n)
{
	uint64_t differing = find_differing(list, n);
	unsigned int shift, end, rounds, bits, most = width_of(n);

	if (!differing)
		return list;
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

struct radix_item *radix_sort(struct radix_item *list,
			      struct radix_item *spare, size_t n)
{
	size_t far = part(list, spare, n);

	if (!far)
		return list;
	if (far == n)
		return sort_by_bits(list, spare, n);
	/* they are an eighth at most */
	merge(list, n - far, radix_sort(spare, spare + far, far), far);
	return list;
}
