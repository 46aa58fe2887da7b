/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What ended when: counts, bytes and spans, in bins of equal time.
 *
 * Memory is bounded for traces of any length: there is a fixed number of bins,
 * and when time goes beyond the last one, each two become one.  So a bin is the
 * first one's length times a power of two, and two rates which begin together
 * can be compared bin by bin, or sums of bins.
 */
#ifndef STAT_RATES_H
#define STAT_RATES_H

#include <stdint.h>

#include "base/histogram.h"

/* --- spans ---------------------------------------------------------------- */

/*
 * Spans of one bin of many: as they are while they are few, in a histogram when
 * they are more.  So thousands of bins that two by two become one, over and
 * over, are cheap as long as there is little in them.
 */

enum { SPANS_FEW = 128 };

/* an all-zero one has none */
struct spans {
	uint64_t *few;
	uint32_t count, size;	/* of few */
	struct histogram many;	/* all, if there is any in it */
};

void spans_free(struct spans *s);

/* --- rates ---------------------------------------------------------------- */

enum rate_class {
	RATE_READ,
	RATE_WRITE,
	RATE_OTHER,		/* without a caller's data: discards, zones */
	RATE_CLASSES
};

struct rate_bin {
	uint64_t count[RATE_CLASSES];
	uint64_t bytes[RATE_CLASSES];
	struct spans spans;	/* of all classes, in ns */
};

/* the same of several bins */
struct rate_sum {
	uint64_t count[RATE_CLASSES];
	uint64_t bytes[RATE_CLASSES];
	struct histogram spans;
};

struct rates {
	uint64_t from, width;	/* of the first bin; of each; in ns */
	unsigned int count;	/* of bins, a power of two */
	struct rate_bin *bins;
};

/* 0, or -ENOMEM; width is what bins have at first, not 0 */
int rates_init(struct rates *r, uint64_t from, uint64_t width,
	       unsigned int count);

/*
 * Something ended at time, in any order; what did before the first bin is left
 * out.  span: how long it took, UINT64_MAX if that is not known.  0, -ENOMEM.
 */
int rates_add(struct rates *r, uint64_t time, enum rate_class class,
	      uint64_t bytes, uint64_t span);

/*
 * Adds up the bins which begin from one moment on and before another; *sum is
 * the caller's to free.  0, or -ENOMEM: then there is nothing in it.
 */
int rates_sum(const struct rates *r, uint64_t from, uint64_t to,
	      struct rate_sum *sum);

void rate_sum_free(struct rate_sum *s);

void rates_free(struct rates *r);

#endif
