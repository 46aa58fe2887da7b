/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Correlation of neighbouring slices: the more, the fewer independent units a
 * recording has.
 */
#ifndef COMPARE_LAG_H
#define COMPARE_LAG_H

#include <stdbool.h>

#include "compare/side.h"

struct compare_units;		/* compare/units.h */

enum { COMPARE_LAG_LEAST = 16 };	/* slices a side */

/*
 * Halves the number of slices until neighbours hardly correlate.  correlation
 * is then that of each row, over both sides, 0 to 0.9, with a margin for the
 * small number of slices.  Both sides have equally many, at most
 * COMPARE_UNITS_MAX / 2. False: even few slices correlate too much.
 */
bool compare_lag_settle(struct compare_units *u,
			const struct compare_rows *rows,
			double correlation[COMPARE_ROWS]);

/*
 * The surplus x[i] of each unit of a side over the expectation from the whole
 * side: in the sum of its numbers (mean), their count (rate), or the count
 * above the percentile; in parts of the average unit.  The side has numbers,
 * with a sum above 0.
 */
void compare_lag_surplus(const struct compare_units *u, enum compare_side side,
			 const struct compare_rows *rows, unsigned int row,
			 double *x);

/* the largest of the rows' correlations */
double compare_lag_largest(const struct compare_rows *rows,
			   const double correlation[COMPARE_ROWS]);

#endif
