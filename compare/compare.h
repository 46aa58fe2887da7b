/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A comparison of two sides, A and B, each one run or several.
 *
 * With COMPARE_RUNS_LEAST or more runs per side, runs are the units, and
 * verdicts are about the systems.  With one run per side, slices of equal time
 * are the units, and verdicts are about these two recordings.  In between there
 * is no verdict.  Slices that drift show nothing about chance; but if each
 * slice of one side is above all of the other's, that is reported, without a p.
 *
 * No io is kept: a slice is a histogram per operation.  No texts.
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
	COMPARE_RUNS_LEAST = 4,	/* per side, for a verdict about systems */
	COMPARE_RUNS_INTERVAL = 3,	/* for intervals */
	COMPARE_RUNS_MAX = 256,
	COMPARE_IOS_LEAST = 200,	/* per side, for slices */
};

struct compare_options {
	unsigned int runs[COMPARE_SIDES];	/* 1 to COMPARE_RUNS_MAX */
	/* in 1/1000 %, ascending, up to the first 0; none: 50, 90, 99, 99.9 */
	uint32_t percentiles[COMPARE_PERCENTILES];
	double least;		/* a change up to that part is the same: 0.05
				 * is 5%; 0: none is */
};

/* the units of chance */
enum compare_unit {
	COMPARE_BY_RUN,
	COMPARE_BY_SLICE,
	COMPARE_BY_NONE,	/* too few runs: see above */
};

/* of all operations, or of one */
enum compare_state {
	COMPARE_JUDGED,		/* intervals and verdicts */
	COMPARE_FEW_RUNS,	/* no verdicts; maybe intervals */
	COMPARE_DRIFTS,		/* or too short: values, and separated rows */
};

enum compare_verdict {
	COMPARE_NO_VERDICT,
	COMPARE_SLOWER,		/* B is */
	COMPARE_FASTER,
	COMPARE_SAME,		/* within the least that matters */
	COMPARE_NOT_SIGNIFICANT,
	COMPARE_SEPARATED,	/* no slice of a side overlaps the other's, in
				 * the direction of the change; no p */
};

struct compare_row {
	enum compare_kind kind;
	uint32_t percentile;	/* of that kind, in 1/1000 % */
	double value[COMPARE_SIDES];	/* ns, or ios a second */
	bool comparable;	/* change is set: no value is 0 */
	double change;		/* of B, as a part of A: 0.05 is 5% more */
	bool interval;		/* low and high are set */
	double low, high;	/* of the change: 95% */
	enum compare_verdict verdict;
	bool tested;		/* p is set */
	double p;		/* for all rows of all tables together */
};

struct compare_table {
	bool all;		/* of all operations but flushes, as all
				 * totals; or: */
	enum io_op op;
	enum compare_state state;
	uint64_t count[COMPARE_SIDES];
	unsigned int units[COMPARE_SIDES];	/* 0: none */
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

/* 0 and *c; -EINVAL: an impossible number of runs; -ENOMEM */
int compare_new(struct compare **c, const struct compare_options *o);

/*
 * Adds a completed io to a run, counted from 0; value is the compared span in
 * ns. Runs may come in any order, ios of a run roughly in the order of their
 * ends. 0, -ENOMEM, or -EOVERFLOW as histogram_add().
 */
int compare_io(struct compare *c, enum compare_side side, unsigned int run,
	       const struct io *io, uint64_t value);

/*
 * The same for a histogram of a save file: ios of an operation that ended from
 * from until until.  Histograms of a run have equal lengths and follow each
 * other, as slices; a run in one histogram is a unit beside others, but cannot
 * be judged alone.  A run is of ios or of histograms.  0, -ENOMEM or
 * -EOVERFLOW.
 */
int compare_histogram(struct compare *c, enum compare_side side,
		      unsigned int run, enum io_op op, uint64_t from,
		      uint64_t until, const struct histogram *h);

/*
 * Judges once; *r is c's.  The result is deterministic.  0 or -ENOMEM.
 */
int compare_end(struct compare *c, const struct compare_result **r);

/* the direction of a verdict: COMPARE_SLOWER or COMPARE_FASTER, also if
 * separated; else COMPARE_NO_VERDICT */
enum compare_verdict compare_direction(const struct compare_row *r);

/* frees c; NULL is fine */
void compare_free(struct compare *c);

#endif
