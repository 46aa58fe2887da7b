/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How long requests took, in classes of operation and size, so that each can
 * be measured by what is usual for its kind.
 *
 * Histograms: percentiles are 0.4 % off at most, whatever the trace's length.
 * What is usual is known when it is asked for: while ios pass it is that of
 * those before.  A kind's is brought up to date at each power of two, from
 * 1,024 on every 1,024 requests; that of all when there are an eighth more.
 */
#ifndef FINDINGS_TIMES_H
#define FINDINGS_TIMES_H

#include "base/histogram.h"
#include "findings/finding.h"
#include "findings/served.h"

struct times {
	struct histogram device[SERVED_OPS][SERVED_SIZES];	/* D2C */
	uint64_t medians[SERVED_OPS][SERVED_SIZES];	/* 0: not yet known */
	uint64_t count;
	uint64_t usual;		/* the median of all, when there were */
	uint64_t usual_count;	/* so many */
	struct histogram all;	/* of the end: all classes */
};

/* an all-zero struct times has none */
void times_free(struct times *t);

/* a request with data; 0, or -ENOMEM */
int times_add(struct times *t, const struct served *s);

/* what a request of its kind takes: its median, or 0 with less than 10 */
uint64_t times_usual(const struct times *t, const struct served *s);

/* *usual is what a request takes: the median of all, or 0 of none; 0, or
 * -ENOMEM */
int times_usual_of_all(struct times *t, uint64_t *usual);

/* all have come: makes t->all; 0, or -ENOMEM */
int times_end(struct times *t);

/* of t->all: percentile p, in thousandths of a percent */
uint64_t times_percentile(const struct times *t, uint32_t p);

/* the middle of count numbers, the later of two */
uint64_t times_median(const struct histogram *h);

#endif
