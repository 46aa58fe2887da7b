/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What lost records leave of a percentile.
 *
 * Of n ios measured at most m are missing, whose spans may be any.  Were they
 * all shorter, percentile p of all n + m would be the (k - m)-th of the n, were
 * they all longer the k-th, k = p (n + m) / 100 rounded up.  So it lies between
 * these two.
 *
 * This takes what was measured for true.  Where ios meet at a sector, or a zone
 * append moves them, and the kernel drops records without a hole, a measured
 * one may have a neighbour's end.
 */
#ifndef ANALYSIS_BOUNDS_H
#define ANALYSIS_BOUNDS_H

#include <stdint.h>

#include "base/histogram.h"

/* what was seen of a device; all-zero: nothing */
struct bounds_seen {
	uint64_t lost;		/* records that were lost */
	uint64_t open;		/* ios that are there, and were not measured:
				 * open, lost, with gap, begun without Q */
	uint64_t ghosts;	/* completions of ios that are not there */
	uint32_t fewest;	/* records that an io leaves at least; 0: there
				 * is no whole one */
};

/*
 * An io was seen that left all the records it could, though it may have been
 * open since, or have gap: from its Q to its end, or to its merge into the
 * request of another, as it has none of its own behind that.
 */
static inline void bounds_see(struct bounds_seen *s, uint32_t events)
{
	if (events < s->fewest || !s->fewest)
		s->fewest = events;
}

/*
 * How many ios are missing at most: an io of which no record is left took as
 * many with it as the one that left fewest.
 */
uint64_t bounds_missing(const struct bounds_seen *s);

/* from low to high, both inclusive; what is not known is 0, or UINT64_MAX */
struct bounds {
	uint64_t low, high;
};

/* between which of n numbers, the smallest is 1, percentile p of n + m lies;
 * p as histogram_rank() has it */
struct bounds bounds_ranks(uint64_t n, uint64_t m, uint32_t p);

/* the same in numbers: the ends of the cells these are in, so that the true
 * one is never outside */
struct bounds bounds_percentile(const struct histogram *h, uint64_t m,
				uint32_t p);

/* the mean of n + m is at least that; of none 0 */
uint64_t bounds_mean(const struct histogram *h, uint64_t m);

#endif
