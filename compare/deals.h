/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A permutation test: the units of both sides are dealt out anew, many times,
 * and each deal has a difference of sides.
 *
 * A row's difference is in standard deviations of its deals, so that rows
 * compare.  A percentile has two differences, of which the larger counts: that
 * of its logarithm, and that of the share above the percentile of both sides
 * together.  In a mixture of two distant sides the percentile jumps from one to
 * the other; the share does not.  A row's p is the share of deals in which any
 * row of any table is as far out, so 5% covers all rows together.
 */
#ifndef COMPARE_DEALS_H
#define COMPARE_DEALS_H

#include <stdbool.h>
#include <stdint.h>

#include "compare/side.h"

struct compare_units;		/* compare/units.h */

enum { COMPARE_DEALS = 2000 };	/* with the true one */

/* the probability of power */
#define COMPARE_POWER 0.8

/* a table's deals; compare_deals_make() fills it */
struct compare_deals {
	unsigned int number;	/* the true one is first; fewer if there are
				 * fewer ways */
	unsigned int rows;
	double *out;		/* per deal, for each row: how far out */
	uint32_t absent;	/* rows missing in a deal, without a p: bits
				 * 1 << row */
	unsigned int side[COMPARE_SIDES];	/* units */
	double *null;		/* as out, of deviations from the own side: as
				 * if the sides did not differ */
	double spread;		/* deviation of a unit within its side, as a
				 * part of the mean; less than 0: unknown */
};

/* the power of a table for a change of the mean; see compare_deals_power() */
struct compare_power {
	bool known;
	double detects;		/* the part by which B's mean must change, at
				 * most COMPARE_DETECTS_MAX */
	double aim;		/* and for a change of this part: */
	unsigned int needs;	/* units a side; 0: more than
				 * COMPARE_NEEDS_MAX */
};

enum { COMPARE_NEEDS_MAX = 1 << 20, COMPARE_DETECTS_MAX = 1000000 };

/*
 * Deals out u's units, always in the same way for a number of units.  A row's
 * correlation makes its true difference less remarkable.  0, or -ENOMEM; d must
 * be freed in any case.
 */
int compare_deals_make(struct compare_deals *d, const struct compare_units *u,
		       const struct compare_rows *rows,
		       const double correlation[COMPARE_ROWS]);

/* raises largest, one per deal, to the most of d's rows */
void compare_deals_largest(const struct compare_deals *d,
			   double largest[COMPARE_DEALS]);

/* the same as if the sides did not differ */
void compare_deals_null(const struct compare_deals *d,
			double null[COMPARE_DEALS]);

/*
 * The change of the mean that is detected with a probability of COMPARE_POWER,
 * and the units per side that detect a change of aim.  null is of all tables; a
 * row is detected below a p of chance.  Units vary as within each side;
 * Student's t replaces deals for other numbers of units.
 */
struct compare_power compare_deals_power(const struct compare_deals *d,
					 const double null[COMPARE_DEALS],
					 double correlation, double chance,
					 double aim);

/* the share of deals whose largest is as far out as the true row */
double compare_deals_p(const struct compare_deals *d, unsigned int row,
		       const double largest[COMPARE_DEALS]);

/* frees what it has */
void compare_deals_free(struct compare_deals *d);

#endif
