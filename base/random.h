/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Random numbers that are the same on every machine, unlike rand(3)'s: what is
 * computed by chance can be computed again.
 */
#ifndef BASE_RANDOM_H
#define BASE_RANDOM_H

#include <stdint.h>

struct random {
	uint64_t state;
};

/* any seed will do, also those that are neighbours */
void random_init(struct random *r, uint64_t seed);

/* 64 bits */
uint64_t random_next(struct random *r);

/* 0 to below - 1, each as likely as the others; below is 1 at least */
uint32_t random_below(struct random *r, uint32_t below);

/* 0 or more, less than 1 */
double random_part(struct random *r);

#endif
