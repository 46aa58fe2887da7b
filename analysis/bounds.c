/* SPDX-License-Identifier: GPL-2.0-only */
/* What lost records leave of a percentile; see bounds.h. */
#include "analysis/bounds.h"

/* Counts may come from hostile input: they end at the largest number. */
static uint64_t sum_of(uint64_t a, uint64_t b)
{
	return a + b < a ? UINT64_MAX : a + b;
}

uint64_t bounds_missing(const struct bounds_seen *s)
{
	uint64_t gone = s->lost / (s->fewest ? s->fewest : 1);

	return sum_of(gone, sum_of(s->open, s->ghosts));
}

struct bounds bounds_ranks(uint64_t n, uint64_t m, uint32_t p)
{
	uint64_t k = histogram_rank(sum_of(n, m), p);

	return (struct bounds){ k > m ? k - m : 0, k <= n ? k : UINT64_MAX };
}

struct bounds bounds_percentile(const struct histogram *h, uint64_t m,
				uint32_t p)
{
	struct bounds ranks = bounds_ranks(h->count, m, p);
	struct bounds b = { 0, UINT64_MAX };

	if (ranks.low)
		b.low = histogram_kth_low(h, ranks.low);
	if (ranks.high <= h->count)
		b.high = histogram_kth_high(h, ranks.high);
	return b;
}

uint64_t bounds_mean(const struct histogram *h, uint64_t m)
{
	histogram_sum all = (histogram_sum)h->count + m;

	return all ? (uint64_t)(sum_get(&h->sum) / all) : 0;
}
