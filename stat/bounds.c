/* SPDX-License-Identifier: GPL-2.0-only */
/* The percentiles that are possible despite lost records; see bounds.h. */
#include "stat/bounds.h"

/* Counts may come from hostile input: sums saturate. */
static uint64_t sum_of(uint64_t a, uint64_t b)
{
	return a + b < a ? UINT64_MAX : a + b;
}

uint64_t bounds_missing(const struct bounds_seen *s)
{
	uint64_t gone = s->lost / (s->fewest ? s->fewest : 1);

	return sum_of(gone, sum_of(s->open, s->ghosts));
}

struct bounds bounds_ranks(uint64_t n, struct doubt d, uint32_t p)
{
	uint64_t k = histogram_rank(sum_of(n, d.missing), p);
	uint64_t less = sum_of(d.missing, d.wrong), high = sum_of(k, d.wrong);

	return (struct bounds){ k > less ? k - less : 0,
				high <= n ? high : UINT64_MAX };
}

struct bounds bounds_percentile(const struct histogram *h, struct doubt d,
				uint32_t p)
{
	struct bounds ranks = bounds_ranks(h->count, d, p);
	struct bounds b = { 0, UINT64_MAX };

	if (ranks.low)
		b.low = histogram_kth_low(h, ranks.low);
	if (ranks.high <= h->count)
		b.high = histogram_kth_high(h, ranks.high);
	return b;
}

/* lower bound of the sum of all but the w greatest */
static struct wide sum_without(const struct histogram *h, uint64_t w)
{
	uint64_t left = h->count > w ? h->count - w : 0, count;
	struct wide sum = { 0, 0 };
	int cell = -1;

	while (left && histogram_next(h, &cell, &count)) {
		uint64_t n = count < left ? count : left;

		wide_join(&sum, wide_product(
			histogram_cell_low((unsigned int)cell), n));
		left -= n;
	}
	return sum;
}

uint64_t bounds_mean(const struct histogram *h, struct doubt d)
{
	struct wide all = wide_plus(wide_of(h->count), wide_of(d.missing));
	struct wide sum = d.wrong ? sum_without(h, d.wrong) : h->sum;

	return wide_is_zero(all) ? 0 : wide_divide(sum, all, NULL).low;
}

struct wide bounds_greatest(const struct histogram *h, uint64_t n)
{
	uint64_t less = h->count > n ? h->count - n : 0, count;
	struct wide sum = { 0, 0 };
	int cell = -1;

	while (histogram_next(h, &cell, &count)) {
		uint64_t passed = count < less ? count : less;

		less -= passed;
		wide_join(&sum, wide_product(
			histogram_cell_high((unsigned int)cell),
			count - passed));
	}
	return sum;
}

uint64_t bounds_max(const struct histogram *h, struct doubt d)
{
	if (!d.wrong)
		return h->count ? h->max : 0;
	return h->count > d.wrong ? histogram_kth_low(h, h->count - d.wrong) :
				    0;
}
