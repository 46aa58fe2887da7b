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
#ifndef FINDINGS_RHYTHM_H
#define FINDINGS_RHYTHM_H

#include <stdbool.h>

#include "base/histogram.h"
#include "findings/served.h"

#define RHYTHM_SLOW 5000000	/* ns: what is faster is never slow */

/* spans of time that slow requests are counted by: they double as the trace
 * becomes longer */
enum { RHYTHM_BINS = 1024 };

struct rhythm {
	struct histogram gaps;	/* between clusters, ns */
	uint64_t clusters, slow;
	uint64_t lost;		/* ns, by slow ones above the usual */
	uint64_t before;	/* the beginning of the cluster before */
	uint64_t first, last;	/* issues of the one in hand */
	uint64_t least;		/* what is slow now */
	uint64_t begin;		/* where the first bin begins, */
	unsigned int span;	/* each of 1 << span ns */
	uint32_t used;		/* the first of them */
	uint32_t bins[RHYTHM_BINS];
};

void rhythm_free(struct rhythm *r);

/* the next request with data that took RHYTHM_SLOW; usual is what they take;
 * 0, or -ENOMEM */
int rhythm_add(struct rhythm *r, const struct served *s, uint64_t usual);

/* all have come; 0, or -ENOMEM */
int rhythm_end(struct rhythm *r);

/* a period that shows through noise */
struct rhythm_period {
	uint64_t every;		/* ns */
	uint64_t cycles, hits;	/* of these, with a burst at their time */
};

/*
 * Whether most cycles of some period, least ns and longer, have many slow
 * requests in the same tenth of it, and other tenths hardly ever as many: by
 * chance less than once in a trillion.
 */
bool rhythm_period(const struct rhythm *r, uint64_t least, uint64_t cycles,
		   uint64_t share, struct rhythm_period *period);

/* gaps from low to high, ends included */
uint64_t rhythm_between(const struct rhythm *r, uint64_t low, uint64_t high);

#endif
