/* SPDX-License-Identifier: GPL-2.0-only */
/* How alike neighbouring slices are; see lag.h. */
#include <math.h>
#include <stddef.h>

#include "base/histogram.h"
#include "compare/lag.h"
#include "compare/units.h"

/* what neighbours may have in common, and what they may when few are left */
static const double ALIKE = 0.3, ALIKE_LEAST = 0.5, MOST = 0.9;

/* a side's units, and what they are as a whole */
struct whole {
	const struct compare_units *u;
	unsigned int first, units;
	uint64_t count;
	double numbers, sum, ns;	/* numbers is count */
	uint16_t list[COMPARE_UNITS_MAX];
};

/* products of each row's values with themselves and with their neighbours' */
struct products {
	double own, next;
};

static void whole_of(struct whole *w, const struct compare_units *u,
		     enum compare_side side)
{
	*w = (struct whole){ .u = u };
	w->units = compare_units_side(u, side, w->list);
	w->first = w->list[0];
	w->count = u->numbers[side];
	w->numbers = (double)w->count;
	for (unsigned int i = 0; i < w->units; i++) {
		w->sum += u->sum[w->first + i];
		w->ns += u->ns[w->first + i];
	}
}

/* the sum of a slice, less what the mean makes of its numbers */
static void surplus_sum(const struct whole *w, double *x)
{
	for (unsigned int i = 0; i < w->units; i++)
		x[i] = w->u->sum[w->first + i] - w->sum / w->numbers *
			(double)w->u->count[w->first + i];
}

/* the numbers of a slice, less what the rate makes of its length */
static void surplus_count(const struct whole *w, double *x)
{
	for (unsigned int i = 0; i < w->units; i++)
		x[i] = (double)w->u->count[w->first + i] -
			w->numbers / w->ns * w->u->ns[w->first + i];
}

/* the numbers above a percentile, less their share of all */
static void surplus_above(const struct whole *w, uint32_t percentile, double *x)
{
	uint64_t rank = histogram_rank(w->count, percentile);
	size_t cell = compare_units_rank(w->u, w->list, w->units, rank);
	const uint64_t *upto = w->u->upto + cell * w->u->all + w->first;
	const uint64_t *count = w->u->count + w->first;
	double all = 0;

	for (unsigned int i = 0; i < w->units; i++)
		all += x[i] = (double)(count[i] - upto[i]);
	for (unsigned int i = 0; i < w->units; i++)
		x[i] -= all / w->numbers * (double)count[i];
}

static void surplus(const struct whole *w, const struct compare_rows *rows,
		    unsigned int row, double *x)
{
	if (row == COMPARE_MEAN)
		surplus_sum(w, x);
	else if (row == COMPARE_RATE)
		surplus_count(w, x);
	else
		surplus_above(w, rows->percentile[row], x);
}

void compare_lag_surplus(const struct compare_units *u, enum compare_side side,
			 const struct compare_rows *rows, unsigned int row,
			 double *x)
{
	struct whole w;
	double each;

	whole_of(&w, u, side);
	surplus(&w, rows, row, x);
	each = (row == COMPARE_MEAN ? w.sum : w.numbers) / w.units;
	for (unsigned int i = 0; i < w.units; i++)
		x[i] /= each;
}

static void add_products(const struct whole *w, const struct compare_rows *rows,
			 unsigned int row, struct products *p)
{
	double x[COMPARE_UNITS_MAX];

	surplus(w, rows, row, x);
	for (unsigned int i = 0; i < w->units; i++)
		p->own += x[i] * x[i];
	for (unsigned int i = 1; i < w->units; i++)
		p->next += x[i] * x[i - 1];
}

/* the deviation of a correlation of that many pairs, and half of it */
static double margin(unsigned int units)
{
	return 0.5 / sqrt(2.0 * units);
}

/*
 * A correlation of few is on the average too small, by (1 + 4r) / n as Kendall
 * found, and may be smaller by chance.
 */
static double careful(const struct products *p, unsigned int units)
{
	double r = p->own > 0 ? p->next / p->own : 0;

	r += (1 + 4 * r) / units + margin(units);
	return r < 0 ? 0 : r > MOST ? MOST : r;
}

static void correlate(const struct compare_units *u,
		      const struct compare_rows *rows,
		      double correlation[COMPARE_ROWS])
{
	struct whole a, b;

	whole_of(&a, u, COMPARE_A);
	whole_of(&b, u, COMPARE_B);
	for (unsigned int row = 0; row < rows->count; row++) {
		struct products p = { 0, 0 };

		add_products(&a, rows, row, &p);
		add_products(&b, rows, row, &p);
		correlation[row] = careful(&p, a.units);
	}
}

double compare_lag_largest(const struct compare_rows *rows,
			   const double correlation[COMPARE_ROWS])
{
	double largest = 0;

	for (unsigned int row = 0; row < rows->count; row++)
		if (correlation[row] > largest)
			largest = correlation[row];
	return largest;
}

bool compare_lag_settle(struct compare_units *u,
			const struct compare_rows *rows,
			double correlation[COMPARE_ROWS])
{
	for (;;) {
		unsigned int units = u->side[COMPARE_A];
		double largest;

		correlate(u, rows, correlation);
		largest = compare_lag_largest(rows, correlation);
		if (largest <= ALIKE + margin(units))
			return true;
		if (units / 2 < COMPARE_LAG_LEAST)
			return largest <= ALIKE_LEAST + margin(units);
		compare_units_halve(u);
	}
}
