/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The percentiles that are possible despite lost records.
 *
 * Of n measured I/Os, at most m are missing, with any latency.  If all of these
 * are shorter, percentile p of all n + m is the (k - m)-th of the n, and if all
 * are longer the k-th, where k is p (n + m) / 100 rounded up.
 *
 * Where I/Os use the same sectors, up to w of the n may have the completion of
 * another.  If these are measured short and were long, or the reverse, w more
 * ranks are in doubt: from the (k - m - w)-th to the (k + w)-th.
 */
#ifndef STAT_BOUNDS_H
#define STAT_BOUNDS_H

#include <stdint.h>

#include "base/histogram.h"

/* what was seen of a device; zeroed: nothing */
struct bounds_seen {
	uint64_t lost;		/* lost records */
	uint64_t open;		/* I/Os open, lost, with a gap, without Q */
	uint64_t ghosts;	/* unmatched completions */
	uint32_t fewest;	/* least records of an I/O that has all, or 0 */
};

/*
 * Adds an I/O that left all its records, even if it is open or has a gap: from
 * Q to its end, or to its merge into the request of another, as it has no later
 * ones.
 */
static inline void bounds_see(struct bounds_seen *s, uint32_t events)
{
	if (events < s->fewest || !s->fewest)
		s->fewest = events;
}

/* I/Os in doubt after a loss, at most */
struct doubt {
	uint64_t missing;	/* not measured */
	uint64_t wrong;		/* measured, with the completion of another */
};

/*
 * I/Os missing at most: each lost as many records as the I/O that left fewest.
 */
uint64_t bounds_missing(const struct bounds_seen *s);

/* from low to high, both inclusive; 0 and UINT64_MAX if unknown */
struct bounds {
	uint64_t low, high;
};

/* ranks (from 1) between which percentile p of n + d.missing is, as for
 * histogram_rank() */
struct bounds bounds_ranks(uint64_t n, struct doubt d, uint32_t p);

/* the same as values, widened to the ends of their cells */
struct bounds bounds_percentile(const struct histogram *h, struct doubt d,
				uint32_t p);

/* least possible mean and maximum of all I/Os; 0 if there are none */
uint64_t bounds_mean(const struct histogram *h, struct doubt d);
uint64_t bounds_max(const struct histogram *h, struct doubt d);

/* upper bound of the sum of the n greatest */
struct wide bounds_greatest(const struct histogram *h, uint64_t n);

#endif
