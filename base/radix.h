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

struct radix_item {
	uint64_t key;
	uint32_t index, times;	/* the caller's */
};

/* Sorts n items by key, stable; spare has room for n.  Returns the one of both
 * lists that has the result. */
struct radix_item *radix_sort(struct radix_item *list,
			      struct radix_item *spare, size_t n);

#endif
