/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A comparison of two sides, A and B: what the numbers show, and no more.
 *
 * A side is one run or several.  With COMPARE_RUNS_LEAST runs and more on each
 * side, runs are the units, and verdicts are about the systems.  With one run
 * each, its slices of equal time are, and verdicts are about these two
 * recordings only.  Between, there is no verdict.  Slices that follow a drift
 * say nothing about chance; but where each slice of one side lies above all of
 * the other's, that is reported, without a p.
 *
 * No io is kept: a slice is a histogram per operation.  It knows no text.
 */
#ifndef COMPARE_COMPARE_H
#define COMPARE_COMPARE_H

#include <stdbool.h>
#include <stdint.h>

#include "compare/deals.h"
#include "compare/side.h"
#include "compare/work.h"
#include "request/io.h"

struct compare;
struct histogram;		/* base/histogram.h */

enum {
	COMPARE_RUNS_LEAST = 4,	/* a side, for a verdict about systems */
	COMPARE_RUNS_INTERVAL = 3,	/* for intervals */
	COMPARE_RUNS_MAX = 256,
	COMPARE_IOS_LEAST = 200,	/* a side, to tell from one run each */
};

struct compare_options {
	unsigned int runs[COMPARE_SIDES];	/* 1 to COMPARE_RUNS_MAX */
	/* in 1/1000 %, ascending; the first 0 ends them; none at all: the
	 * usual 50, 90, 99 and 99.9 */
	uint32_t percentiles[COMPARE_PERCENTILES];
	double least;		/* a change of that part is still the same:
				 * 0.05 is 5 %; 0: nothing is */
};

/* what stands for chance */
enum compare_unit {
	COMPARE_BY_RUN,
	COMPARE_BY_SLICE,
	COMPARE_BY_NONE,	/* too few runs: see above */
};

/* what can be said of all, or of an operation */
enum compare_state {
	COMPARE_JUDGED,		/* intervals and verdicts */
	COMPARE_FEW_RUNS,	/* no verdicts; intervals perhaps */
	COMPARE_DRIFTS,		/* or is too short: values, and which rows are
				 * separated */
};

enum compare_verdict {
	COMPARE_NO_VERDICT,
	COMPARE_SLOWER,		/* B than A */
	COMPARE_FASTER,
	COMPARE_SAME,		/* within the least that matters */
	COMPARE_NOT_SIGNIFICANT,
	COMPARE_SEPARATED,	/* no slice of a side overlaps the other's: the
				 * change says which way; there is no p */
};

struct compare_row {
	enum compare_kind kind;
	uint32_t percentile;	/* of that kind, in 1/1000 % */
	double value[COMPARE_SIDES];	/* ns, or ios a second */
	bool comparable;	/* change is there: nothing is 0 */
	double change;		/* of B, as a part of A: 0.05 is 5 % more */
	bool interval;		/* low and high are there */
	double low, high;	/* of the change: 95 % */
	enum compare_verdict verdict;
	bool tested;		/* p is there */
	double p;		/* for all rows of all tables together */
};

struct compare_table {
	bool all;		/* of all operations but flushes, as totals are
				 * everywhere; or: */
	enum io_op op;
	enum compare_state state;
	uint64_t count[COMPARE_SIDES];
	unsigned int units[COMPARE_SIDES];	/* 0: there are none */
	double correlation;	/* of neighbouring slices, the largest */
	struct compare_power power;	/* in runs, or slices */
	unsigned int rows;
	struct compare_row row[COMPARE_ROWS];
};

struct compare_result {
	enum compare_unit unit;
	unsigned int runs[COMPARE_SIDES];
	struct compare_work work;
	unsigned int tables;	/* 0: a side has no ios */
	struct compare_table table[1 + IO_OPS];
};

/* 0 and *c; -EINVAL: a number of runs that cannot be; -ENOMEM */
int compare_new(struct compare **c, const struct compare_options *o);

/*
 * Adds an io that went all its way to a run, counted from 0; value is the
 * span that is compared, in ns.  Runs may come in any order, the ios of one
 * about in that of their ends.  0, -ENOMEM, or -EOVERFLOW as histogram_add().
 */
int compare_io(struct compare *c, enum compare_side side, unsigned int run,
	       const struct io *io, uint64_t value);

/*
 * The same of a histogram, as save files have them: of ios of an operation that
 * ended from a time on until another one.  Those of a run are equally long and
 * follow each other, so that they can be slices; all of it in one, and the run
 * is a unit beside others, but cannot be judged alone.  Runs are of ios or of
 * histograms.  0, -ENOMEM or -EOVERFLOW.
 */
int compare_histogram(struct compare *c, enum compare_side side,
		      unsigned int run, enum io_op op, uint64_t from,
		      uint64_t until, const struct histogram *h);

/*
 * Judges what was added, once: *r is c's.  The same ios give the same bytes.
 * 0 or -ENOMEM.
 */
int compare_end(struct compare *c, const struct compare_result **r);

/* which way a verdict points: COMPARE_SLOWER or COMPARE_FASTER, also of what is
 * separated; else COMPARE_NO_VERDICT */
enum compare_verdict compare_direction(const struct compare_row *r);

/* frees c; NULL is fine */
void compare_free(struct compare *c);

#endif
