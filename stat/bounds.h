/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What lost records leave of a percentile.
 *
 * Of n ios measured at most m are missing, whose spans may be any.  Were they
 * all shorter, percentile p of all n + m would be the (k - m)-th of the n, were
 * they all longer the k-th, k = p (n + m) / 100 rounded up.  So it lies between
 * these two.
 *
 * Where ios use the same sectors, a measured one may have another's end: at
 * most w of the n are wrong.  Were all of these short, and truly long, w of the
 * shortest would have to be passed over, and the other way round: it lies
 * between the (k - m - w)-th and the (k + w)-th.
 */
#ifndef STAT_BOUNDS_H
#define STAT_BOUNDS_H

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

/* how many ios a loss has left in doubt, at most */
struct doubt {
	uint64_t missing;	/* not measured */
	uint64_t wrong;		/* measured, with a span that is not theirs */
};

/*
 * How many ios are missing at most: an io of which no record is left took as
 * many with it as the one that left fewest.
 */
uint64_t bounds_missing(const struct bounds_seen *s);

/* from low to high, both inclusive; what is not known is 0, or UINT64_MAX */
struct bounds {
	uint64_t low, high;
};

/* between which of n numbers, the smallest is 1, percentile p of n + d.missing
 * lies; p as histogram_rank() has it */
struct bounds bounds_ranks(uint64_t n, struct doubt d, uint32_t p);

/* the same in numbers: the ends of the cells these are in, so that the true
 * one is never outside */
struct bounds bounds_percentile(const struct histogram *h, struct doubt d,
				uint32_t p);

/* the mean, and the greatest, of all of them is at least that; of none 0 */
uint64_t bounds_mean(const struct histogram *h, struct doubt d);
uint64_t bounds_max(const struct histogram *h, struct doubt d);

/* the sum of the n greatest is at most that */
struct wide bounds_greatest(const struct histogram *h, uint64_t n);

#endif
