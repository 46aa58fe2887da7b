/* How numbers are spread; see spread.h. */
#include "tools/btreplay/spread.h"

/*
 * Numbers below 64 have a class each.  Above, the place of the highest bit
 * chooses 64 classes, and the six bits behind it one of these.
 */
static unsigned int class_of(uint64_t value)
{
	unsigned int shift;

	if (value < SPREAD_STEPS)
		return (unsigned int)value;
	shift = 63 - 6 - (unsigned int)__builtin_clzll(value);
	return shift * SPREAD_STEPS + (unsigned int)(value >> shift);
}

/* the largest number of a class */
static uint64_t last_of(unsigned int class)
{
	unsigned int shift;

	if (class < 2 * SPREAD_STEPS)
		return class;
	shift = class / SPREAD_STEPS - 1;
	return ((uint64_t)(class % SPREAD_STEPS + SPREAD_STEPS + 1) << shift) -
	       1;
}

void spread_add(struct spread *s, uint64_t value, uint64_t times)
{
	s->counts[class_of(value)] += times;
	s->total += times;
	if (times && value > s->max)
		s->max = value;
}

void spread_merge(struct spread *s, const struct spread *other)
{
	for (unsigned int i = 0; i < SPREAD_CLASSES; i++)
		s->counts[i] += other->counts[i];
	s->total += other->total;
	if (other->max > s->max)
		s->max = other->max;
}

uint64_t spread_at(const struct spread *s, unsigned int per_mille)
{
	/* rounded up without a product that could be too large */
	uint64_t want = s->total / 1000 * per_mille +
			(s->total % 1000 * per_mille + 999) / 1000;
	uint64_t seen = 0;

	for (unsigned int i = 0; want && i < SPREAD_CLASSES; i++) {
		seen += s->counts[i];
		if (seen >= want)
			return last_of(i) < s->max ? last_of(i) : s->max;
	}
	return 0;
}
