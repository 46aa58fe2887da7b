/* SPDX-License-Identifier: GPL-2.0-only */
/* Statistics of a histogram; see statistic.h. */
#include <math.h>

#include "base/wide.h"
#include "stat/statistic.h"

static uint64_t statistic_min(const struct histogram *h)
{
	return h->min;
}

static uint64_t statistic_mean(const struct histogram *h)
{
	return wide_over(h->sum, h->count).low;
}

/* takes the middle of each cell */
static uint64_t statistic_stdev(const struct histogram *h)
{
	double mean = wide_double(h->sum) / (double)h->count;

	if (h->count < 2)
		return STATISTIC_NONE;
	return (uint64_t)round(sqrt(histogram_squares(h, mean) /
				    (double)(h->count - 1)));
}

static uint64_t statistic_max(const struct histogram *h)
{
	return h->max;
}

#define ROW(name, word, side, value, low, ...) \
	[STATISTIC_##name] = { word, STATISTIC_##side, value, low, \
			       { __VA_ARGS__ } },

static const struct statistic_row rows[STATISTICS] = {
	STATISTIC_ROWS(ROW)
};

const struct statistic_row *statistic_row(enum statistic s)
{
	return &rows[s];
}

uint64_t statistic_of(const struct histogram *h, enum statistic s)
{
	return h->count ? rows[s].value(h) : STATISTIC_NONE;
}

void statistics_of(const struct histogram *h, uint64_t values[STATISTICS])
{
	for (unsigned int s = 0; s < STATISTICS; s++)
		values[s] = statistic_of(h, s);
}
