/* SPDX-License-Identifier: GPL-2.0-only */
/* Ladders of round numbers; see steps.h. */
#include "stat/steps.h"

enum { DECADES = 20 };		/* of 64 bits: 10^19 is in the last one */

/* the steps of a decade, in tenths */
static const unsigned char tenths_24[] = {
	10, 11, 12, 13, 14, 15, 16, 18, 20, 22, 25, 27, 30, 33, 36, 40, 45, 50,
	55, 60, 65, 70, 80, 90
};
static const unsigned char tenths_6[] = { 10, 15, 20, 30, 50, 70 };
static const unsigned char tenths_3[] = { 10, 20, 50 };
static const unsigned char tenths_1[] = { 10 };

static const struct ladder {
	const unsigned char *tenths;
	unsigned char count;	/* of tenths */
	unsigned char decades;	/* that they stand for */
} ladders[STEPS_KINDS] = {
	[STEPS_24] = { tenths_24, 24, 1 },
	[STEPS_6] = { tenths_6, 6, 1 },
	[STEPS_3] = { tenths_3, 3, 1 },
	[STEPS_1] = { tenths_1, 1, 1 },
	[STEPS_HALF] = { tenths_1, 1, 2 },
	[STEPS_QUARTER] = { tenths_1, 1, 4 },
	[STEPS_NONE] = { tenths_1, 1, DECADES },
};

static const uint64_t powers[DECADES] = {
	1u, 10u, 100u, 1000u, 10000u, 100000u, 1000000u, 10000000u, 100000000u,
	1000000000u, 10000000000u, 100000000000u, 1000000000000u,
	10000000000000u, 100000000000000u, 1000000000000000u,
	10000000000000000u, 100000000000000000u, 1000000000000000000u,
	10000000000000000000u
};

unsigned int steps_count(enum steps kind)
{
	return DECADES / ladders[kind].decades * ladders[kind].count;
}

/* tenths of 10^19 may need more than 64 bits */
static uint64_t product(unsigned int tenths, uint64_t power)
{
	if (power >= 10 && tenths > UINT64_MAX / (power / 10))
		return UINT64_MAX;
	return power >= 10 ? tenths * (power / 10) : (tenths + 9) / 10;
}

uint64_t steps_low(enum steps kind, unsigned int step)
{
	const struct ladder *l = &ladders[kind];
	unsigned int decade = step / l->count * l->decades;

	if (decade >= DECADES)
		return UINT64_MAX;
	return product(l->tenths[step % l->count], powers[decade]);
}

unsigned int steps_find(enum steps kind, uint64_t value)
{
	unsigned int low = 0, high = steps_count(kind);

	/* where the steps beyond the last seem to begin */
	if (value == UINT64_MAX)
		value--;
	/* the last one that begins at value or before it */
	while (high - low > 1) {
		unsigned int mid = (low + high) / 2;

		if (steps_low(kind, mid) <= value)
			low = mid;
		else
			high = mid;
	}
	return low;
}

enum steps steps_choose(enum steps kind, uint64_t low, uint64_t high,
			unsigned int steps)
{
	while (kind < STEPS_NONE &&
	       steps_find(kind, high) - steps_find(kind, low) >= steps)
		kind++;
	return kind;
}
