/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * --compare: one span of A's ios beside B's, as text, csv and json.  A
 * comparison is about one phase; the caller makes one for each, and passes the
 * ios that count.
 */
#ifndef COMPARE_COMPARISON_H
#define COMPARE_COMPARISON_H

#include <stdbool.h>
#include <stdint.h>

#include "compare/comparison_text.h"

struct buf;			/* base/buf.h */
struct comparison;
struct histogram;		/* base/histogram.h */
struct io;			/* request/io.h */

/* 0 and *c; -EINVAL, -ENOMEM: as compare_new() */
int comparison_new(struct comparison **c, const struct comparison_options *o);

/* as compare_io(): runs from 0; value is the phase in ns.  0 or -ENOMEM */
int comparison_io(struct comparison *c, enum compare_side side,
		  unsigned int run, const struct io *io, uint64_t value);

/* as compare_histogram(), of a saved histogram of the phase: 0, -ENOMEM... */
int comparison_histogram(struct comparison *c, enum compare_side side,
			 unsigned int run, enum io_op op, uint64_t from,
			 uint64_t until, const struct histogram *h);

/* judges: once, after the last io, before the functions below.  0 or -ENOMEM */
int comparison_end(struct comparison *c);

/* the options and the result, for other output; both valid as long as c */
void comparison_get(const struct comparison *c, struct comparison_options *o,
		    const struct compare_result **r);

/* for --gate: the worst of all rows */
enum comparison_gate {
	COMPARISON_PASSED,	/* B is the same or faster, in all rows */
	COMPARISON_UNDECIDED,	/* of a row neither is known; or no rows */
	COMPARISON_SLOWER,	/* a row is slower, or separated that way */
};

/*
 * A row that is not significant has passed if its interval rules out that B is
 * slower by more than the options' least.
 */
enum comparison_gate comparison_gate(const struct comparison *c);

/* a line about it, and one with its rows */
void comparison_gate_print(const struct comparison *c, struct buf *b);

/* the table with its headings, 80 columns at most */
void comparison_print(const struct comparison *c, struct buf *b);

/*
 * A row per key, phase and row.  The columns are key, phase, row, a, b,
 * change, low, high, verdict, p: ns or ios a second, changes as parts of A,
 * empty (null) where there is none.
 */
void comparison_csv(const struct comparison *c, struct buf *b, bool heading);

/* one json object: units, runs, work and the rows, named as in csv */
void comparison_json(const struct comparison *c, struct buf *b);

/* frees c; NULL is fine */
void comparison_free(struct comparison *c);

#endif
