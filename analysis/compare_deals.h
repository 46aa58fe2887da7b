/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What chance can do: the units of both sides are dealt out anew, many times,
 * and each time the difference of the sides is looked at.
 *
 * A row's difference is taken in deviations of that row's deals, so that rows
 * can be compared.  A percentile has two differences, and the larger counts: of
 * the logarithm of the percentile, and of the share of numbers above the
 * percentile of both sides together.  A deal mixes the sides, and where these
 * lie far apart the percentile of a mixture jumps from one to the other; the
 * share does not.  A row's p is the share of deals in which any row of any table
 * lies as far out: 5 % is then for all of them together.
 */
#ifndef ANALYSIS_COMPARE_DEALS_H
#define ANALYSIS_COMPARE_DEALS_H

#include <stdint.h>

#include "analysis/compare_side.h"

struct compare_units;		/* analysis/compare_units.h */

enum { COMPARE_DEALS = 2000 };	/* with the true one */

/* a table's deals; compare_deals_make() fills it */
struct compare_deals {
	unsigned int number;	/* the true one is the first; fewer when there
				 * are not so many ways */
	unsigned int rows;
	double *out;		/* per deal, for each row: how far out */
	uint32_t absent;	/* rows that a deal could not show: bits
				 * 1 << row; they have no p */
};

/*
 * Deals out u's units.  Of as many units it is always dealt alike.
 * correlation, of each row, makes the true difference less remarkable.  0, or
 * -ENOMEM; d is to be freed in any case.
 */
int compare_deals_make(struct compare_deals *d, const struct compare_units *u,
		       const struct compare_rows *rows,
		       const double correlation[COMPARE_ROWS]);

/* raises largest, one per deal, to what d's rows reach */
void compare_deals_largest(const struct compare_deals *d,
			   double largest[COMPARE_DEALS]);

/* the share of deals in which the largest is as far out as row truly is */
double compare_deals_p(const struct compare_deals *d, unsigned int row,
		       const double largest[COMPARE_DEALS]);

/* frees what it has */
void compare_deals_free(struct compare_deals *d);

#endif
