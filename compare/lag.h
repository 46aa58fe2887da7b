/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How alike neighbouring slices are.  If they are, there is less chance in a
 * recording than its many slices make believe.
 */
#ifndef COMPARE_LAG_H
#define COMPARE_LAG_H

#include <stdbool.h>

#include "compare/side.h"

struct compare_units;		/* compare/units.h */

enum { COMPARE_LAG_LEAST = 16 };	/* slices a side */

/*
 * Halves the number of slices until neighbours are hardly alike; correlation
 * is then of these: that of each row, of both sides together, 0 to 0.9, with a
 * margin for what so few slices cannot show.  Both sides have as many units,
 * which are slices, at most COMPARE_UNITS_MAX / 2.  False: neighbours are alike
 * even when there are few, so that nothing can be told.
 */
bool compare_lag_settle(struct compare_units *u,
			const struct compare_rows *rows,
			double correlation[COMPARE_ROWS]);

/*
 * The surplus of each unit of a side, x[i], over what the side as a whole lets
 * one expect: of the sum of its numbers (by the mean), of their count (by the
 * rate), or of how many lie above the percentile (by their share).  In parts of
 * the average unit: a mean's surplus is a part of that mean.  The side has
 * numbers, and a sum that is not 0.
 */
void compare_lag_surplus(const struct compare_units *u, enum compare_side side,
			 const struct compare_rows *rows, unsigned int row,
			 double *x);

/* the largest of the rows' correlations */
double compare_lag_largest(const struct compare_rows *rows,
			   const double correlation[COMPARE_ROWS]);

#endif
