/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A sum of 64-bit numbers, of 128 bits itself: never too large for 2^64 of them.
 *
 * Two halves, as adding to the compiler's own type of 128 bits takes twice the
 * instructions, and two registers more.
 */
#ifndef BASE_SUM_H
#define BASE_SUM_H

#include <stdint.h>

__extension__ typedef unsigned __int128 sum_wide;

/* an all-zero one is 0 */
struct sum {
	uint64_t low, high;
};

static inline sum_wide sum_get(const struct sum *s)
{
	return (sum_wide)s->high << 64 | s->low;
}

static inline void sum_set(struct sum *s, sum_wide value)
{
	s->low = (uint64_t)value;
	s->high = (uint64_t)(value >> 64);
}

static inline void sum_add(struct sum *s, uint64_t number)
{
	s->high += __builtin_add_overflow(s->low, number, &s->low);
}

/* the same of what may have more than 64 bits */
static inline void sum_add_wide(struct sum *s, sum_wide value)
{
	sum_set(s, sum_get(s) + value);
}

#endif
