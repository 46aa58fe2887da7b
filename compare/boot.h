/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Intervals for the differences of two sides by bootstrap: each side's units
 * are drawn from themselves, many times.
 */
#ifndef COMPARE_BOOT_H
#define COMPARE_BOOT_H

#include <stdint.h>

#include "compare/side.h"

/* --- student -------------------------------------------------------------- */

/* Student's t, for means of few numbers. */

/*
 * The bound of two-sided intervals of that confidence (above 0, below 1), in
 * standard errors, for 1 degree of freedom or more: 2.228 for 0.95 and 10.
 */
double student_reach(double confidence, unsigned int freedom);

/* the probability of |t| or less */
double student_within(double t, unsigned int freedom);

/* --- boot ----------------------------------------------------------------- */

struct compare_units;		/* compare/units.h */

/* differences of logarithms, B's minus A's */
struct compare_interval {
	double value[COMPARE_ROWS];
	double grain[COMPARE_ROWS];	/* resolution of percentiles' cells,
					 * either way */
	/* 95%, with that */
	double low[COMPARE_ROWS], high[COMPARE_ROWS];
	uint32_t absent;	/* rows without an interval: bits 1 << row */
	uint32_t valueless;	/* of these: without a value, too */
};

/*
 * The intervals of all rows.  They are wider than what was drawn: few units
 * vary less among themselves than they should, and so do units that are like
 * their neighbours.  Each side has two units at least.  0 or -ENOMEM.
 */
int compare_boot(const struct compare_units *u,
		 const struct compare_rows *rows,
		 const double correlation[COMPARE_ROWS],
		 struct compare_interval *interval);

/* the differences only: no row has an interval */
void compare_boot_values(const struct compare_units *u,
			 const struct compare_rows *rows,
			 struct compare_interval *interval);

#endif
