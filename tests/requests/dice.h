/* SPDX-License-Identifier: GPL-2.0-only */
/* Chance, the same in every run: a seed gives its numbers again. */
#ifndef TESTS_REQUESTS_DICE_H
#define TESTS_REQUESTS_DICE_H

#include <stdint.h>

struct dice {
	uint64_t state;		/* any number is a seed */
};

static inline uint64_t dice_roll(struct dice *d)
{
	uint64_t x = d->state += 0x9e3779b97f4a7c15;

	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
	x = (x ^ x >> 27) * 0x94d049bb133111eb;
	return x ^ x >> 31;
}

/* 0 to n - 1 */
static inline uint64_t dice_below(struct dice *d, uint64_t n)
{
	return dice_roll(d) % n;
}

/* true once in n times */
static inline _Bool dice_once_in(struct dice *d, uint64_t n)
{
	return dice_below(d, n) == 0;
}

#define DICE_PICK(d, list) \
	((list)[dice_below((d), sizeof(list) / sizeof(*(list)))])

#endif
