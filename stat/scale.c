/* SPDX-License-Identifier: GPL-2.0-only */
/* A linear axis; see scale.h. */
#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#include "stat/scale.h"

/* what the sum of steps may be off by, of a step */
static const double SLACK = 1e-6;

/* more digits than a double has tell nothing */
enum { DECIMALS_MAX = 12 };

/* what a step is of its power of ten, and the decimals that takes */
static const struct {
	double times;
	int decimals;
} round_steps[] = { { 1, 0 }, { 2, 0 }, { 2.5, 1 }, { 5, 0 }, { 10, -1 } };

/* The least round step that is not below wanted, which is above 0. */
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
	/* a span that is lost in the size of its ends is none */
	return isfinite(low) && isfinite(high) && low < high &&
	       isfinite(high - low) &&
	       high - low > SLACK * SLACK * fmax(fabs(low), fabs(high));
}

/* None, if the first round value is beyond the end. */
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
