/* SPDX-License-Identifier: GPL-2.0-only */
/* Dealing out units anew; see compare_deals.h. */
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "analysis/compare_deals.h"
#include "analysis/compare_units.h"
#include "base/histogram.h"
#include "base/random.h"

/* what is equal but for rounding, and what no deviation is less than */
static const double EQUAL = 1e-9, LEAST_DEVIATION = 1e-12;

/* a deal: A's units come first */
struct hand {
	unsigned int all, a;
	uint16_t list[COMPARE_UNITS_MAX];
};

/* what is dealt: units and the rows of their table */
struct table {
	const struct compare_units *u;
	const struct compare_rows *rows;
	unsigned int cell[COMPARE_ROWS];	/* of each percentile of both
						 * sides together */
	double *share;		/* per deal, for each row: the difference of the
				 * shares above that cell; 0 without one */
};

/* how many ways there are to deal, COMPARE_DEALS + 1 standing for more */
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

/* the units that A has not, ascending, behind A's */
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

static void deal_all(struct compare_deals *d, const struct table *t,
		     bool every_way)
{
	struct random r;
	struct hand h;

	random_init(&r, t->u->all);
	deal_true(&h, t->u);
	for (unsigned int deal = 0; deal < d->number; deal++) {
		look(d, t, deal, &h);
		if (every_way)
			deal_next(&h);
		else
			deal_random(&h, &r);
	}
}

/* the deviation of a row over the deals, without the true one */
static double deviation(const struct compare_deals *d, const double *of,
			unsigned int row)
{
	unsigned int number = d->number - 1;
	double sum = 0, squares = 0;

	if (!number)
		return LEAST_DEVIATION;
	for (unsigned int i = 1; i < d->number; i++)
		sum += of[(size_t)i * d->rows + row];
	for (unsigned int i = 1; i < d->number; i++) {
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

int compare_deals_make(struct compare_deals *d, const struct compare_units *u,
		       const struct compare_rows *rows,
		       const double correlation[COMPARE_ROWS])
{
	unsigned int number = ways(u->all, u->side[COMPARE_A]);
	bool every_way = number <= COMPARE_DEALS;
	struct table t = { .u = u, .rows = rows };

	*d = (struct compare_deals) {
		.number = every_way ? number : COMPARE_DEALS,
		.rows = rows->count,
	};
	d->out = calloc((size_t)d->number * d->rows, sizeof(*d->out));
	t.share = calloc((size_t)d->number * d->rows, sizeof(*t.share));
	if (!d->out || !t.share) {
		free(t.share);
		return -ENOMEM;
	}
	find_cells(&t);
	deal_all(d, &t, every_way);
	scale(d, t.share, correlation);
	free(t.share);
	return 0;
}

void compare_deals_largest(const struct compare_deals *d,
			   double largest[COMPARE_DEALS])
{
	for (unsigned int i = 0; i < d->number; i++) {
		for (unsigned int row = 0; row < d->rows; row++) {
			double out = d->out[(size_t)i * d->rows + row];

			if (!(d->absent & 1U << row) && out > largest[i])
				largest[i] = out;
		}
	}
}

double compare_deals_p(const struct compare_deals *d, unsigned int row,
		       const double largest[COMPARE_DEALS])
{
	unsigned int as_far = 0;

	for (unsigned int i = 0; i < d->number; i++)
		as_far += largest[i] >= d->out[row] - EQUAL;
	return (double)as_far / d->number;
}

void compare_deals_free(struct compare_deals *d)
{
	free(d->out);
	*d = (struct compare_deals){ 0 };
}
