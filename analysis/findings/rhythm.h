/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Slow requests that come in clusters, and how regularly these do.
 *
 * Slow is 5 ms and 8 times the usual, by what is usual so far.  A cluster ends
 * when no slow request was issued for 100 ms.  Only the cluster in hand is
 * kept, and a histogram of the times from one's beginning to the next one's.
 * A request that was issued before the cluster in hand, but comes after it,
 * belongs to that.
 */
#ifndef ANALYSIS_FINDINGS_RHYTHM_H
#define ANALYSIS_FINDINGS_RHYTHM_H

#include "analysis/findings/served.h"
#include "base/histogram.h"

#define RHYTHM_SLOW 5000000	/* ns: what is faster is never slow */

struct rhythm {
	struct histogram gaps;	/* between clusters, ns */
	uint64_t clusters, slow;
	uint64_t lost;		/* ns, by slow ones above the usual */
	uint64_t before;	/* the beginning of the cluster before */
	uint64_t first, last;	/* issues of the one in hand */
	uint64_t least;		/* what is slow now */
};

void rhythm_free(struct rhythm *r);

/* the next request with data that took RHYTHM_SLOW; usual is what they take;
 * 0, or -ENOMEM */
int rhythm_add(struct rhythm *r, const struct served *s, uint64_t usual);

/* all have come; 0, or -ENOMEM */
int rhythm_end(struct rhythm *r);

/* gaps from low to high, ends included */
uint64_t rhythm_between(const struct rhythm *r, uint64_t low, uint64_t high);

#endif
