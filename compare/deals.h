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
 * share does not.  A row's p is the part of the deals in which any row of any
 * table lies as far out: 5 % is then for all of them together.
 */
#ifndef COMPARE_DEALS_H
#define COMPARE_DEALS_H

#include <stdbool.h>
#include <stdint.h>

#include "compare/side.h"

struct compare_units;		/* compare/units.h */

enum { COMPARE_DEALS = 2000 };	/* with the true one */

/* with what probability power is stated */
#define COMPARE_POWER 0.8

/* a table's deals; compare_deals_make() fills it */
struct compare_deals {
	unsigned int number;	/* the true one is the first; fewer when there
				 * are not so many ways */
	unsigned int rows;
	double *out;		/* per deal, for each row: how far out */
	uint32_t absent;	/* rows that a deal could not show: bits
				 * 1 << row; they have no p */
	unsigned int side[COMPARE_SIDES];	/* units */
	double *null;		/* as out, of what units are above their side:
				 * as if the sides did not differ */
	double spread;		/* deviation of a unit within its side, as a
				 * part of the mean; less than 0: unknown */
};

/* what a table can detect, of the mean's change; see compare_deals_power() */
struct compare_power {
	bool known;
	double detects;		/* the part by which B's mean must change,
				 * COMPARE_DETECTS_MAX at most */
	double aim;		/* and for a change of this part: */
	unsigned int needs;	/* units a side; 0: more than
				 * COMPARE_NEEDS_MAX */
};

enum { COMPARE_NEEDS_MAX = 1 << 20, COMPARE_DETECTS_MAX = 1000000 };

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

/* the same of what they reach as if the sides did not differ */
void compare_deals_null(const struct compare_deals *d,
			double null[COMPARE_DEALS]);

/*
 * The change of the mean that is detected with a probability of COMPARE_POWER,
 * and how many units per side detect a change of aim.  null is of all tables; a
 * row is detected below a p of chance.  Units vary as they do within each side;
 * Student's t stands for the deals of other numbers of them.
 */
struct compare_power compare_deals_power(const struct compare_deals *d,
					 const double null[COMPARE_DEALS],
					 double correlation, double chance,
					 double aim);

/* the share of deals in which the largest is as far out as row truly is */
double compare_deals_p(const struct compare_deals *d, unsigned int row,
		       const double largest[COMPARE_DEALS]);

/* frees what it has */
void compare_deals_free(struct compare_deals *d);

#endif
