/* SPDX-License-Identifier: GPL-2.0-only */
/* Dealing out units anew; see deals.h. */
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/histogram.h"
#include "base/random.h"
#include "compare/boot.h"
#include "compare/deals.h"
#include "compare/lag.h"
#include "compare/units.h"

/* differences by rounding, and the least deviation */
static const double EQUAL = 1e-9, LEAST_DEVIATION = 1e-12;

/* a difference in deviations that leaves less is all there can be */
static const double LEAST_REST = 0.05;

/* a deal: A's units come first */
struct hand {
	unsigned int all, a;
	uint16_t list[COMPARE_UNITS_MAX];
};

/* the dealt units, and the rows of their table */
struct table {
	const struct compare_units *u;
	const struct compare_rows *rows;
	unsigned int cell[COMPARE_ROWS];	/* of each percentile of both
						 * sides together */
	double *share;		/* per deal, for each row: the difference of the
				 * shares above that cell; 0 without one */
	double *residual;	/* per row, for each unit: what it is above its
				 * side, see compare_lag_surplus() */
};

/* the number of ways to deal, at most COMPARE_DEALS + 1 */
static unsigned int ways(unsigned int all, unsigned int a)
{
	uint64_t number = 1;

	for (unsigned int i = 1; i <= a; i++) {
		number = number * (all - a + i) / i;
		if (number > COMPARE_DEALS)
			return COMPARE_DEALS + 1;
	}
	return (unsigned int)number;
}

static void deal_true(struct hand *h, const struct compare_units *u)
{
	h->all = u->all;
	h->a = u->side[COMPARE_A];
	for (unsigned int i = 0; i < h->all; i++)
		h->list[i] = (uint16_t)i;
}

/* by chance: a shuffle that stops when A has all of its units */
static void deal_random(struct hand *h, struct random *r)
{
	for (unsigned int i = 0; i < h->a; i++) {
		unsigned int other = i + random_below(r, h->all - i);
		uint16_t kept = h->list[i];

		h->list[i] = h->list[other];
		h->list[other] = kept;
	}
}

/* the units that A lacks, ascending, after A's */
static void deal_rest(struct hand *h)
{
	unsigned int at = 0, to = h->a;

	for (unsigned int unit = 0; unit < h->all; unit++) {
		if (at < h->a && h->list[at] == unit)
			at++;
		else
			h->list[to++] = (uint16_t)unit;
	}
}

/* the next way in lexical order; A's units are ascending */
static void deal_next(struct hand *h)
{
	unsigned int i = h->a;

	while (i > 0 && h->list[i - 1] == h->all - h->a + i - 1)
		i--;
	if (i == 0)
		return;
	h->list[i - 1]++;
	for (; i < h->a; i++)
		h->list[i] = (uint16_t)(h->list[i - 1] + 1);
	deal_rest(h);
}

/* all units in one hand, for the percentiles of both sides together */
static void find_cells(struct table *t)
{
	struct hand h;

	deal_true(&h, t->u);
	for (unsigned int i = COMPARE_PERCENTILE; i < t->rows->count; i++)
		t->cell[i] = compare_units_rank(t->u, h.list, h.all,
			histogram_rank(t->u->numbers[COMPARE_A] +
				       t->u->numbers[COMPARE_B],
				       t->rows->percentile[i]));
}

/* the mean of a row's residuals in a part of a hand */
static double mean_residual(const double *residual, const uint16_t *list,
			    unsigned int count)
{
	double sum = 0;

	for (unsigned int i = 0; i < count; i++)
		sum += residual[list[i]];
	return sum / count;
}

/* The differences of all rows in a deal. */
static void look(struct compare_deals *d, const struct table *t,
		 unsigned int deal, const struct hand *h)
{
	double *out = d->out + (size_t)deal * d->rows;
	double *share = t->share + (size_t)deal * d->rows;
	const uint16_t *rest = h->list + h->a;
	unsigned int b_units = h->all - h->a;
	struct compare_sample a, b;

	compare_units_sample(t->u, t->rows, h->list, h->a, &a);
	compare_units_sample(t->u, t->rows, rest, b_units, &b);
	d->absent |= a.absent | b.absent;
	for (unsigned int row = 0; row < d->rows; row++)
		out[row] = b.value[row] - a.value[row];
	for (unsigned int row = COMPARE_PERCENTILE; row < d->rows; row++)
		share[row] =
			compare_units_above(t->u, rest, b_units, t->cell[row]) -
			compare_units_above(t->u, h->list, h->a, t->cell[row]);
}

/* The same of residuals. */
static void look_null(struct compare_deals *d, const struct table *t,
		      unsigned int deal, const struct hand *h)
{
	double *null = d->null + (size_t)deal * d->rows;

	for (unsigned int row = 0; row < d->rows; row++) {
		const double *x = t->residual + (size_t)row * h->all;

		null[row] = mean_residual(x, h->list + h->a, h->all - h->a) -
			    mean_residual(x, h->list, h->a);
	}
}

static void deal_all(struct compare_deals *d, const struct table *t,
		     bool every_way)
{
	struct random r;
	struct hand h;

	random_init(&r, t->u->all);
	deal_true(&h, t->u);
	for (unsigned int deal = 0; deal < d->number; deal++) {
		look(d, t, deal, &h);
		look_null(d, t, deal, &h);
		if (every_way)
			deal_next(&h);
		else
			deal_random(&h, &r);
	}
}

/*
 * The deviation of a row over the deals, the true one among them: each deal is
 * measured by what it would be measured by if it were the true one.  Without
 * that a p is not what chance can do.
 */
static double deviation(const struct compare_deals *d, const double *of,
			unsigned int row)
{
	unsigned int number = d->number;
	double sum = 0, squares = 0;

	for (unsigned int i = 0; i < d->number; i++)
		sum += of[(size_t)i * d->rows + row];
	for (unsigned int i = 0; i < d->number; i++) {
		double off = of[(size_t)i * d->rows + row] - sum / number;

		squares += off * off;
	}
	return sqrt(squares / number) + LEAST_DEVIATION;
}

/* From differences to how far out they are: the larger of both. */
static void scale(struct compare_deals *d, const double *share,
		  const double correlation[COMPARE_ROWS])
{
	for (unsigned int row = 0; row < d->rows; row++) {
		double one = deviation(d, d->out, row);
		double other = deviation(d, share, row);
		double r = correlation[row];

		for (unsigned int i = 0; i < d->number; i++) {
			size_t at = (size_t)i * d->rows + row;

			d->out[at] = fmax(fabs(d->out[at]) / one,
					  fabs(share[at]) / other);
		}
		d->out[row] /= sqrt((1 + r) / (1 - r));
	}
}

/* the same of residuals, whose true difference is 0 */
static void scale_null(struct compare_deals *d)
{
	for (unsigned int row = 0; row < d->rows; row++) {
		double squares = 0, one;

		for (unsigned int i = 0; i < d->number; i++) {
			double x = d->null[(size_t)i * d->rows + row];

			squares += x * x;
		}
		one = sqrt(squares / d->number) + LEAST_DEVIATION;
		for (unsigned int i = 0; i < d->number; i++) {
			size_t at = (size_t)i * d->rows + row;

			d->null[at] = fabs(d->null[at]) / one;
		}
	}
}

/* --- what does not come from the sides' difference ------------------------ */

/* the deviation of a row within a side */
static double spread_of(const struct table *t, unsigned int row)
{
	const double *x = t->residual + (size_t)row * t->u->all;
	double squares = 0;

	for (unsigned int i = 0; i < t->u->all; i++)
		squares += x[i] * x[i];
	return sqrt(squares / (t->u->all - COMPARE_SIDES));
}

static void find_residuals(struct compare_deals *d, struct table *t)
{
	for (unsigned int row = 0; row < d->rows; row++) {
		double *x = t->residual + (size_t)row * t->u->all;

		compare_lag_surplus(t->u, COMPARE_A, t->rows, row, x);
		compare_lag_surplus(t->u, COMPARE_B, t->rows, row,
				    x + t->u->side[COMPARE_A]);
	}
	if (t->u->all > COMPARE_SIDES)
		d->spread = spread_of(t, COMPARE_MEAN);
}

/* whether both sides have numbers, of some length */
static bool has_all(const struct table *t)
{
	uint16_t list[COMPARE_UNITS_MAX];
	struct compare_sample s;
	uint32_t absent = 0;

	for (unsigned int side = 0; side < COMPARE_SIDES; side++) {
		unsigned int units = compare_units_side(t->u, side, list);

		compare_units_sample(t->u, t->rows, list, units, &s);
		absent |= s.absent;
	}
	return !absent;
}

/* --- the whole ------------------------------------------------------------ */

static int make_with(struct compare_deals *d, struct table *t,
		     const double correlation[COMPARE_ROWS], bool every_way)
{
	size_t values = (size_t)d->number * d->rows;

	d->out = calloc(values, sizeof(*d->out));
	d->null = calloc(values, sizeof(*d->null));
	t->share = calloc(values, sizeof(*t->share));
	t->residual = calloc((size_t)t->u->all * d->rows,
			     sizeof(*t->residual));
	if (!d->out || !d->null || !t->share || !t->residual)
		return -ENOMEM;
	find_cells(t);
	if (has_all(t))
		find_residuals(d, t);
	deal_all(d, t, every_way);
	scale(d, t->share, correlation);
	scale_null(d);
	return 0;
}

int compare_deals_make(struct compare_deals *d, const struct compare_units *u,
		       const struct compare_rows *rows,
		       const double correlation[COMPARE_ROWS])
{
	unsigned int number = ways(u->all, u->side[COMPARE_A]);
	bool every_way = number <= COMPARE_DEALS;
	struct table t = { .u = u, .rows = rows };
	int error;

	*d = (struct compare_deals) {
		.number = every_way ? number : COMPARE_DEALS,
		.rows = rows->count,
		.spread = -1,
		.side = { u->side[COMPARE_A], u->side[COMPARE_B] },
	};
	error = make_with(d, &t, correlation, every_way);
	free(t.share);
	free(t.residual);
	return error;
}

/* raises largest, one per deal, to what the rows of a table reach */
static void raise(const struct compare_deals *d, const double *of,
		  double largest[COMPARE_DEALS])
{
	for (unsigned int i = 0; i < d->number; i++) {
		for (unsigned int row = 0; row < d->rows; row++) {
			double out = of[(size_t)i * d->rows + row];

			if (!(d->absent & 1U << row) && out > largest[i])
				largest[i] = out;
		}
	}
}

void compare_deals_largest(const struct compare_deals *d,
			   double largest[COMPARE_DEALS])
{
	raise(d, d->out, largest);
}

void compare_deals_null(const struct compare_deals *d,
			double null[COMPARE_DEALS])
{
	raise(d, d->null, null);
}

double compare_deals_p(const struct compare_deals *d, unsigned int row,
		       const double largest[COMPARE_DEALS])
{
	unsigned int as_far = 0;

	for (unsigned int i = 0; i < d->number; i++)
		as_far += largest[i] >= d->out[row] - EQUAL;
	return (double)as_far / d->number;
}

/* --- power ---------------------------------------------------------------- */

static int descending(const void *one, const void *other)
{
	double x = *(const double *)one, y = *(const double *)other;

	return (x < y) - (x > y);
}

/*
 * What a row must exceed, for a p below chance: the true deal counts among
 * those that lie as far out, and so does its mirror where it is dealt.
 */
static double critical(const struct compare_deals *d,
		       const double null[COMPARE_DEALS], double chance)
{
	unsigned int fewer = (unsigned int)ceil(chance * d->number) - 1;
	unsigned int own = d->number < COMPARE_DEALS &&
			   d->side[COMPARE_A] == d->side[COMPARE_B] ? 2 : 1;
	double sorted[COMPARE_DEALS];

	memcpy(sorted, null, d->number * sizeof(*sorted));
	qsort(sorted, d->number, sizeof(*sorted), descending);
	return sorted[fewer > own ? fewer - own : 0];
}

/* A difference in deviations of all units, as Student's t: in deviations within
 * the sides. */
static double student_of(double out, unsigned int units)
{
	double rest = units - 1 - out * out;

	return out * sqrt((units - 2) / fmax(rest, LEAST_REST));
}

/* the change that COMPARE_POWER detects, in deviations of the difference */
static double reach(double least, unsigned int freedom)
{
	return least + student_reach(2 * COMPARE_POWER - 1, freedom);
}

/* how many units a side tell a change of the logarithm by aim */
static unsigned int units_for(double spread, double confidence, double aim)
{
	unsigned int low = 2, high = COMPARE_NEEDS_MAX;

	while (low < high) {
		unsigned int n = (low + high) / 2;
		double least = student_reach(confidence, 2 * n - 2);

		if (spread * sqrt(2.0 / n) * reach(least, 2 * n - 2) <= aim)
			high = n;
		else
			low = n + 1;
	}
	return low < COMPARE_NEEDS_MAX ? low : 0;
}

struct compare_power compare_deals_power(const struct compare_deals *d,
					 const double null[COMPARE_DEALS],
					 double correlation, double chance,
					 double aim)
{
	unsigned int a = d->side[COMPARE_A], b = d->side[COMPARE_B];
	unsigned int freedom = a + b - COMPARE_SIDES;
	double spread, least;

	if (d->spread < 0 || d->absent & 1U << COMPARE_MEAN ||
	    chance * d->number <= 1)
		return (struct compare_power){ .known = false };
	spread = d->spread * sqrt((1 + correlation) / (1 - correlation));
	least = student_of(critical(d, null, chance), a + b);
	return (struct compare_power) {
		.known = true,
		.detects = fmin(expm1(spread * sqrt(1.0 / a + 1.0 / b) *
				      reach(least, freedom)),
				COMPARE_DETECTS_MAX),
		.aim = aim,
		.needs = units_for(spread, student_within(least, freedom),
				   log1p(aim)),
	};
}

void compare_deals_free(struct compare_deals *d)
{
	free(d->out);
	free(d->null);
	*d = (struct compare_deals){ 0 };
}
