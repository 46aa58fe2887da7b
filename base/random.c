/* SPDX-License-Identifier: GPL-2.0-only */
/* Pseudorandom numbers; see random.h. */
#include "base/random.h"

void random_init(struct random *r, uint64_t seed)
{
	r->state = seed;
}

/* SplitMix64 */
uint64_t random_next(struct random *r)
{
	uint64_t x = r->state += UINT64_C(0x9e3779b97f4a7c15);

	x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
	return x ^ x >> 31;
}

/* The upper half of the product is the choice; its lower half says whether the
 * number would make some choices likelier, and is rejected. */
uint32_t random_below(struct random *r, uint32_t below)
{
	uint32_t surplus = -below % below;
	uint64_t product;

	do {
		product = (random_next(r) >> 32) * below;
	} while ((uint32_t)product < surplus);
	return (uint32_t)(product >> 32);
}

double random_part(struct random *r)
{
	return (double)(random_next(r) >> 11) * 0x1p-53;
}
