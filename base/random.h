/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Pseudorandom numbers, the same on every machine for a seed, unlike rand(3)'s.
 */
#ifndef BASE_RANDOM_H
#define BASE_RANDOM_H

#include <stdint.h>

struct random {
	uint64_t state;
};

/* any seed is good, neighbours too */
void random_init(struct random *r, uint64_t seed);

/* 64 bits */
uint64_t random_next(struct random *r);

/* uniform, 0 to below - 1; below is at least 1 */
uint32_t random_below(struct random *r, uint32_t below);

/* uniform, in [0, 1) */
double random_part(struct random *r);

#endif
