/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The outcome of a comparison in a sentence, and what would decide an undecided
 * row.
 */
#ifndef COMPARE_OUTCOME_H
#define COMPARE_OUTCOME_H

#include <stdbool.h>

#include "compare/compare.h"

struct buf;			/* base/buf.h */

/* with its NUL */
enum { OUTCOME_DECIDES_MAX = 64 };

struct outcome_words {
	const char *phase;	/* the compared span: "Q2C" */
	bool page;		/* units as pages have them: unit_space() */
};

/*
 * Appends "B is slower than A: Q2C mean +43.5% (712us to 1.02ms), Q2C p99 ...",
 * of the rows with a verdict; without any, what was measured and why that is no
 * verdict.  No full stop.
 */
void outcome_sentence(const struct outcome_words *w,
		      const struct compare_result *r, struct buf *b);

/* COMPARE_SLOWER or COMPARE_FASTER if all rows with a direction have this one;
 * else COMPARE_NO_VERDICT */
enum compare_verdict outcome_direction(const struct compare_result *r);

/*
 * Whether more measurements decide a row of a table, and which: "4 or more runs
 * per side", "runs about 9 times as long", "about 12 runs per side".  The last
 * two hold if the measured change is the true one: intervals narrow with the
 * square root of what is measured.  Otherwise the text is "change below 1%", or
 * "" of a row with a verdict.
 */
bool outcome_decides(const struct compare_table *t,
		     const struct compare_row *row, enum compare_unit unit,
		     char text[OUTCOME_DECIDES_MAX]);

#endif
