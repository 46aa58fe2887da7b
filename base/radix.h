/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Puts numbers in order by eight bits at a time: a dozen instructions for each
 * of these and each number, whatever their order is, where qsort(3) takes
 * twenty for each doubling of how many there are.
 */
#ifndef BASE_RADIX_H
#define BASE_RADIX_H

#include <stddef.h>
#include <stdint.h>

struct radix_item {
	uint64_t key;
	uint32_t index;		/* what the key is of: the caller's, */
	uint32_t times;		/* and a number that goes with it */
};

/*
 * Puts n items in ascending order of their keys, equal ones in the order in
 * which they are.  spare has room for as many.  Returns which of both has them
 * then.
 */
struct radix_item *radix_sort(struct radix_item *list,
			      struct radix_item *spare, size_t n);

#endif
