/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A histogram: counts of numbers in classes that grow with the number, so that
 * memory is fixed and percentiles are right to 1/64.
 */
#ifndef BASE_HISTOGRAM_H
#define BASE_HISTOGRAM_H

#include <stdint.h>

enum {
	HISTOGRAM_STEPS = 64,	/* classes from a power of two to the next */
	HISTOGRAM_CLASSES = 59 * HISTOGRAM_STEPS,
};

/* an all-zero struct histogram has no numbers */
struct histogram {
	uint64_t total, max;
	uint64_t counts[HISTOGRAM_CLASSES];
};

/* times more numbers of this value */
void histogram_add(struct histogram *s, uint64_t value, uint64_t times);

/* all of other's numbers into s */
void histogram_merge(struct histogram *s, const struct histogram *other);

/*
 * The least number that so many of 1,000 are not above; 0 if there are none.
 * It is at most 1/64 too large, and never above the maximum.
 */
uint64_t histogram_at(const struct histogram *s, unsigned int per_mille);

#endif
