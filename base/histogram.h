/*
 * How numbers are spread: counts of them in classes that grow with the
 * number, so that percentiles cost no memory and are right to 1/64.
 */
#ifndef TOOLS_BTREPLAY_SPREAD_H
#define TOOLS_BTREPLAY_SPREAD_H

#include <stdint.h>

enum {
	SPREAD_STEPS = 64,	/* classes from a power of two to the next */
	SPREAD_CLASSES = 59 * SPREAD_STEPS,
};

/* an all-zero struct spread has no numbers */
struct spread {
	uint64_t total, max;
	uint64_t counts[SPREAD_CLASSES];
};

/* times more numbers of this value */
void spread_add(struct spread *s, uint64_t value, uint64_t times);

/* all of other's numbers into s */
void spread_merge(struct spread *s, const struct spread *other);

/*
 * The least number that so many of 1,000 are not above; 0 if there are none.
 * It is at most 1/64 too large, and never above the maximum.
 */
uint64_t spread_at(const struct spread *s, unsigned int per_mille);

#endif
