/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The key by which events are put in order.  Time decides; the two others
 * settle ties; what they mean is the caller's to decide.
 */
#ifndef BASE_ORDER_H
#define BASE_ORDER_H

#include <stdbool.h>
#include <stdint.h>

struct order {
	uint64_t time;
	uint64_t rank;
	uint64_t stamp;
};

static inline bool order_before(const struct order *a, const struct order *b)
{
	if (a->time != b->time)
		return a->time < b->time;
	if (a->rank != b->rank)
		return a->rank < b->rank;
	return a->stamp < b->stamp;
}

#endif
