/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Counts, bytes and spans by end time, in bins of equal time.
 *
 * Memory is bounded: the number of bins is fixed, and when time exceeds them,
 * they are joined in pairs.  A bin's width is the first width times a power of
 * two, so rates with the same start can be compared by bins.
 */
#ifndef STAT_RATES_H
#define STAT_RATES_H

#include <stdint.h>

#include "base/histogram.h"

/* --- spans ---------------------------------------------------------------- */

/* Spans of one bin: a list while they are few, else a histogram.  This makes
 * joining thousands of nearly empty bins cheap. */

enum { SPANS_FEW = 128 };

/* zeroed: empty */
struct spans {
	uint64_t *few;
	uint32_t count, size;	/* of few */
	struct histogram many;	/* all, if not empty */
};

void spans_free(struct spans *s);

/* --- rates ---------------------------------------------------------------- */

enum rate_class {
	RATE_READ,
	RATE_WRITE,
	RATE_OTHER,		/* without data of a caller: discards, zones */
	RATE_CLASSES
};

struct rate_bin {
	uint64_t count[RATE_CLASSES];
	uint64_t bytes[RATE_CLASSES];
	struct spans spans;	/* of all classes, in ns */
};

/* a sum of bins */
struct rate_sum {
	uint64_t count[RATE_CLASSES];
	uint64_t bytes[RATE_CLASSES];
	struct histogram spans;
};

struct rates {
	uint64_t from, width;	/* start of the first bin, width of each, ns */
	unsigned int count;	/* bins, a power of two */
	struct rate_bin *bins;
};

/* width: initial, not 0.  0, or -ENOMEM. */
int rates_init(struct rates *r, uint64_t from, uint64_t width,
	       unsigned int count);

/* Adds an end, in any order; ignored before the first bin.  span: ns,
 * UINT64_MAX if unknown.  0, or -ENOMEM. */
int rates_add(struct rates *r, uint64_t time, enum rate_class class,
	      uint64_t bytes, uint64_t span);

/* Sums the bins that start at from or later, and before to.  The caller frees
 * *sum.  0, or -ENOMEM, which leaves it empty. */
int rates_sum(const struct rates *r, uint64_t from, uint64_t to,
	      struct rate_sum *sum);

void rate_sum_free(struct rate_sum *s);

void rates_free(struct rates *r);

#endif
