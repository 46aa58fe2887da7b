/* SPDX-License-Identifier: GPL-2.0-only */
/* How numbers are spread; see histogram.h. */
#include "base/histogram.h"

/*
 * Numbers below 64 have a class each.  Above, the place of the highest bit
 * chooses 64 classes, and the six bits behind it one of these.
 */
static unsigned int class_of(uint64_t value)
{
	unsigned int shift;

	if (value < HISTOGRAM_STEPS)
		return (unsigned int)value;
	shift = 63 - 6 - (unsigned int)__builtin_clzll(value);
	return shift * HISTOGRAM_STEPS + (unsigned int)(value >> shift);
}

/* the largest number of a class */
static uint64_t last_of(unsigned int class)
{
	unsigned int shift;

	if (class < 2 * HISTOGRAM_STEPS)
		return class;
	shift = class / HISTOGRAM_STEPS - 1;
	class = class % HISTOGRAM_STEPS + HISTOGRAM_STEPS;
	return ((uint64_t)(class + 1) << shift) - 1;
}

void histogram_add(struct histogram *s, uint64_t value, uint64_t times)
{
	s->counts[class_of(value)] += times;
	s->total += times;
	if (times && value > s->max)
		s->max = value;
}

void histogram_merge(struct histogram *s, const struct histogram *other)
{
	for (unsigned int i = 0; i < HISTOGRAM_CLASSES; i++)
		s->counts[i] += other->counts[i];
	s->total += other->total;
	if (other->max > s->max)
		s->max = other->max;
}

uint64_t histogram_at(const struct histogram *s, unsigned int per_mille)
{
	/* rounded up without a product that could be too large */
	uint64_t want = s->total / 1000 * per_mille +
			(s->total % 1000 * per_mille + 999) / 1000;
	uint64_t seen = 0;

	for (unsigned int i = 0; want && i < HISTOGRAM_CLASSES; i++) {
		seen += s->counts[i];
		if (seen >= want)
			return last_of(i) < s->max ? last_of(i) : s->max;
	}
	return 0;
}
