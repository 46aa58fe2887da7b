/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The workloads of both sides: their difference, and how much of a change of
 * the mean comes from different work instead of different speed.
 *
 * A class of work is an operation and a size between two powers of two. Flushes
 * are work, but in no counts, rates, depths and means.
 */
#ifndef COMPARE_WORK_H
#define COMPARE_WORK_H

#include <stdbool.h>
#include <stdint.h>

#include "compare/side.h"
#include "request/io.h"

struct compare_works;
struct histogram;		/* base/histogram.h */

struct compare_phase {
	uint64_t count[COMPARE_SIDES];	/* of ios with it */
	double mean[COMPARE_SIDES];	/* over all ios, ns: they add up to the
					 * total's */
};

struct compare_work {
	uint64_t count[COMPARE_SIDES];
	double seconds[COMPARE_SIDES];	/* first to last end, of all runs */
	double rate[COMPARE_SIDES];	/* ios a second */
	double depth[COMPARE_SIDES];	/* mean, of requests at the device; 0:
					 * unknown */
	double other;		/* share of different work: half the sum of the
				 * classes' differences */
	bool other_work;	/* more than COMPARE_OTHER of that, */
	bool other_rate;	/* or of the rate, */
	bool other_depth;	/* or COMPARE_DEPTHS times the depth */
	double mean[COMPARE_SIDES];	/* of the span, ns */
	double by_work;		/* these two are the change of the mean, ns: */
	double by_speed;	/* from other work; the same at another speed */
	struct compare_phase total;	/* of Q2C, and its parts: */
	struct compare_phase phase[IO_PHASES];
};

#define COMPARE_OTHER 0.1
#define COMPARE_DEPTHS 1.5

/* NULL: no memory */
struct compare_works *compare_works_new(void);

/* adds a completed io and its compared span */
void compare_works_add(struct compare_works *w, enum compare_side side,
		       const struct io *io, uint64_t value);

/*
 * Adds a histogram of that span, without sizes, depths and phases.  Work is
 * then of an operation, whatever its size.
 */
void compare_works_add_all(struct compare_works *w, enum compare_side side,
			   enum io_op op, const struct histogram *h);

/* the sums of both sides; ns: total length of each side's runs */
void compare_works_sum(const struct compare_works *w,
		       const uint64_t ns[COMPARE_SIDES],
		       struct compare_work *sum);

void compare_works_free(struct compare_works *w);

#endif
