/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Random choices that are the same on every machine, unlike rand(3)'s: the
 * same seed gives the same trace.
 */
#ifndef BENCH_SYNTH_DICE_H
#define BENCH_SYNTH_DICE_H

#include <stdbool.h>
#include <stdint.h>

struct dice {
	uint64_t state;		/* never 0 */
};

static inline void dice_seed(struct dice *d, uint64_t seed)
{
	d->state = (seed + 1) * 0x9e3779b97f4a7c15;
}

/* 0 to below - 1; the tiny bias of the multiplication does not matter here */
static inline uint32_t dice_pick(struct dice *d, uint32_t below)
{
	uint64_t x = d->state;

	/* xorshift64* */
	x ^= x >> 12;
	x ^= x << 25;
	x ^= x >> 27;
	d->state = x;
	return ((x * 0x2545f4914f6cdd1d) >> 32) * below >> 32;
}

/* true in that many of a hundred cases */
static inline bool dice_chance(struct dice *d, unsigned percent)
{
	return dice_pick(d, 100) < percent;
}

#endif
