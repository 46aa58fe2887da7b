/* SPDX-License-Identifier: GPL-2.0-only */
/* A linear axis; see scale.h. */
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/histogram.h"
#include "stat/scale.h"

/* --- bins ----------------------------------------------------------------- */

/* the middle of a cell, clamped to the histogram's minimum and maximum */
static uint64_t middle(const struct histogram *h, unsigned int cell)
{
	uint64_t low = histogram_cell_low(cell);
	uint64_t mid = low + (histogram_cell_high(cell) - low) / 2;

	return mid < h->min ? h->min : mid > h->max ? h->max : mid;
}

static void set_rows(struct bins *b, enum steps kind, unsigned int first)
{
	for (unsigned int i = 0; i < b->count; i++) {
		b->rows[i] = (struct bin){
			.from = steps_low(kind, first + i),
			.to = steps_low(kind, first + i + 1),
		};
	}
	/* the step of 1 includes 0 */
	if (!first)
		b->rows[0].from = 0;
}

static void sum_up(struct bins *b)
{
	for (unsigned int i = 0; i < b->count; i++) {
		struct bin *row = &b->rows[i];

		b->total += row->count;
		row->up_to = b->total;
		if (row->count > b->most)
			b->most = row->count;
	}
}

void bins_make(struct bins *b, const struct histogram *h, unsigned int rows)
{
	unsigned int most = rows < BINS_MAX ? rows : BINS_MAX;
	/* below 2 ns a step of 1.5 would be empty */
	enum steps kind = steps_choose(h->min < 2 ? STEPS_3 : STEPS_6, h->min,
				       h->max, most);
	unsigned int first = steps_find(kind, h->min);
	uint64_t count;
	int cell = -1;

	b->total = b->most = 0;
	b->count = h->count ? steps_find(kind, h->max) - first + 1 : 0;
	if (b->count > BINS_MAX)
		b->count = BINS_MAX;
	set_rows(b, kind, first);
	while (histogram_next(h, &cell, &count)) {
		uint64_t n = middle(h, (unsigned int)cell);

		b->rows[steps_find(kind, n) - first].count += count;
	}
	sum_up(b);
}

/* --- steps ---------------------------------------------------------------- */

enum { DECADES = 20 };		/* 10^19 is the largest power in 64 bits */

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
	unsigned char decades;	/* decades in a round of tenths */
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

	/* UINT64_MAX is also the start of the step after the last */
	if (value == UINT64_MAX)
		value--;
	/* find the last that starts at or before value */
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

/* --- scale ---------------------------------------------------------------- */

/* rounding errors allowed, as a part of a step */
static const double SLACK = 1e-6;

/* a double has no more digits */
enum { DECIMALS_MAX = 12 };

/* steps relative to a power of ten, and the decimals they add */
static const struct {
	double times;
	int decimals;
} round_steps[] = { { 1, 0 }, { 2, 0 }, { 2.5, 1 }, { 5, 0 }, { 10, -1 } };

/* Sets the least round step >= wanted, which is above 0. */
static void choose_step(struct scale *s, double wanted)
{
	double power = floor(log10(wanted) + SLACK), unit = pow(10, power);
	size_t i = 0;
	int decimals;

	while (round_steps[i].times < 10 &&
	       round_steps[i].times * unit < wanted * (1 - SLACK))
		i++;
	s->step = round_steps[i].times * unit;
	decimals = round_steps[i].decimals - (int)power;
	if (decimals < 0)
		decimals = 0;
	s->decimals = decimals < DECIMALS_MAX ? (unsigned int)decimals :
						DECIMALS_MAX;
}

static bool is_range(double low, double high)
{
	/* too short relative to the ends: not a range */
	return isfinite(low) && isfinite(high) && low < high &&
	       isfinite(high - low) &&
	       high - low > SLACK * SLACK * fmax(fabs(low), fabs(high));
}

/* none if the first round value is beyond the end */
static void count_ticks(struct scale *s)
{
	double last;

	s->first = ceil(s->low / s->step - SLACK) * s->step;
	last = floor((s->high - s->first) / s->step + SLACK);
	s->ticks = last < 0 ? 0 : 1 + (unsigned int)last;
}

void scale_set(struct scale *s, double low, double high, unsigned int ticks)
{
	if (!is_range(low, high)) {
		low = 0;
		high = 1;
	}
	*s = (struct scale){ .low = low, .high = high, .to = 1 };
	choose_step(s, (high - low) / (ticks - 1));
	count_ticks(s);
}

void scale_set_up_to(struct scale *s, double high, unsigned int ticks)
{
	if (!is_range(0, high))
		high = 1;
	*s = (struct scale){ .high = high, .to = 1 };
	choose_step(s, high / (ticks - 1));
	s->high = ceil(high / s->step - SLACK) * s->step;
	count_ticks(s);
}

void scale_place(struct scale *s, double from, double to)
{
	s->from = from;
	s->to = to;
}

double scale_at(const struct scale *s, double value)
{
	double part = (value - s->low) / (s->high - s->low);

	if (!(part > 0))
		part = 0;
	if (part > 1)
		part = 1;
	return s->from + part * (s->to - s->from);
}

double scale_tick(const struct scale *s, unsigned int tick)
{
	return s->first + tick * s->step;
}
