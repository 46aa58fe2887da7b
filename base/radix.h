/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A radix sort, up to eleven bits at a time: a dozen instructions for each
 * number and round, where qsort(3) takes twenty for each number and doubling.
 * Numbers near their places take a few in total.
 */
#ifndef BASE_RADIX_H
#define BASE_RADIX_H

#include <stddef.h>
#include <stdint.h>

#include "base/hint.h"

struct radix_item {
	uint64_t key;
	uint32_t index, times;	/* the caller's */
};

/* items before the end of which one is put by itself */
enum { RADIX_NEAR = 32 };

/* Makes room for a key among n items in order, with room for one more: its
 * place; or n + 1, and nothing is moved, if that is far from their end. */
static inline size_t radix_place(struct radix_item *list, size_t n,
				 uint64_t key)
{
	size_t at = n, least = n < RADIX_NEAR ? 0 : n - RADIX_NEAR;

	for (; at > least && list[at - 1].key > key; at--)
		list[at] = list[at - 1];
	if (LIKELY(at > least || !least))
		return at;
	for (; at < n; at++)
		list[at] = list[at + 1];
	return n + 1;
}

/* Sorts n items by key, stable; spare has room for n.  Returns the one of both
 * lists that has the result. */
struct radix_item *radix_sort(struct radix_item *list,
			      struct radix_item *spare, size_t n);

#endif
