/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Clusters of slow requests, and their period.
 *
 * Slow is 5 ms and 8 times the median so far.  A cluster ends when no slow
 * request was issued for 100 ms.  Kept are the current cluster and a histogram
 * of the times between starts of clusters.  A request issued before the current
 * cluster but seen after its start belongs to it.
 */
#ifndef FINDINGS_RHYTHM_H
#define FINDINGS_RHYTHM_H

#include <stdbool.h>

#include "base/histogram.h"
#include "findings/served.h"

#define RHYTHM_SLOW 5000000	/* ns: less is never slow */

/* spans of time for counts of slow requests; they double as the trace grows */
enum { RHYTHM_BINS = 1024 };

struct rhythm {
	struct histogram gaps;	/* between clusters, ns */
	uint64_t clusters, slow;
	uint64_t lost;		/* ns, by slow ones above the median */
	uint64_t before;	/* start of the previous cluster */
	uint64_t first, last;	/* issues of the current one */
	uint64_t least;		/* the slow limit now */
	uint64_t begin;		/* start of the first bin, */
	unsigned int span;	/* each of 1 << span ns */
	uint32_t used;		/* the first of them */
	uint32_t bins[RHYTHM_BINS];
};

void rhythm_free(struct rhythm *r);

/* the next request with data that took RHYTHM_SLOW; usual: the median; 0, or
 * -ENOMEM */
int rhythm_add(struct rhythm *r, const struct served *s, uint64_t usual);

/* no more; 0, or -ENOMEM */
int rhythm_end(struct rhythm *r);

/* a period that shows through noise */
struct rhythm_period {
	uint64_t every;		/* ns */
	uint64_t cycles, hits;	/* of these, with a burst at their time */
};

/*
 * Whether most cycles of some period of least ns or longer have many slow
 * requests in the same tenth of it, and other tenths rarely as many: by chance
 * less than once in a trillion.
 */
bool rhythm_period(const struct rhythm *r, uint64_t least, uint64_t cycles,
		   uint64_t share, struct rhythm_period *period);

/* gaps from low to high, ends included */
uint64_t rhythm_between(const struct rhythm *r, uint64_t low, uint64_t high);

#endif
