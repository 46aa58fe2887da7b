/* SPDX-License-Identifier: GPL-2.0-only */
/* Intervals for differences; see boot.h. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "base/random.h"
#include "compare/boot.h"
#include "compare/units.h"

/* --- student -------------------------------------------------------------- */

/* with more than these t is the normal distribution's, to four digits */
enum { MANY = 20000 };

/*
 * The sum of the finite series for the share within t, where the angle is
 * atan(t / sqrt(freedom)): each term is the one before it, times the square of
 * the cosine, times a ratio of neighbouring integers.
 */
static double series(double cosine, unsigned int freedom)
{
	double term = freedom % 2 ? cosine : 1, sum = 0;

	if (freedom == 1)
		return 0;
	for (unsigned int i = freedom % 2 ? 3 : 2; i <= freedom; i += 2) {
		sum += term;
		term *= cosine * cosine * (i - 1) / i;
	}
	return sum;
}

double student_within(double t, unsigned int freedom)
{
	double angle = atan(t / sqrt(freedom));
	double sum;

	if (freedom > MANY)
		return erf(t * M_SQRT1_2);
	sum = sin(angle) * series(cos(angle), freedom);
	return freedom % 2 ? (angle + sum) * M_2_PI : sum;
}

double student_reach(double confidence, unsigned int freedom)
{
	double low = 0, high = 1;

	while (student_within(high, freedom) < confidence && high < 1e12)
		high *= 2;
	for (unsigned int i = 0; i < 60; i++) {
		double middle = (low + high) / 2;

		if (student_within(middle, freedom) < confidence)
			low = middle;
		else
			high = middle;
	}
	return high;
}

/* --- boot ----------------------------------------------------------------- */

enum { DRAWS = 1000 };

/* the largest freedom: Student's is then the normal distribution */
static const unsigned int ENDLESS = 1000000;

/*
 * What the cells of both sides' percentiles leave open: a cell of a histogram
 * is 1/128 wide, but for those of small numbers.
 */
static double grain(const struct compare_sample *a,
		    const struct compare_sample *b, unsigned int row)
{
	const double exact = log(256);

	if (row < COMPARE_PERCENTILE)
		return 0;
	return ((a->value[row] >= exact) + (b->value[row] >= exact)) / 256.0;
}

void compare_boot_values(const struct compare_units *u,
			 const struct compare_rows *rows,
			 struct compare_interval *interval)
{
	uint16_t list[COMPARE_UNITS_MAX];
	struct compare_sample a, b;

	compare_units_sample(u, rows, list,
			     compare_units_side(u, COMPARE_A, list), &a);
	compare_units_sample(u, rows, list,
			     compare_units_side(u, COMPARE_B, list), &b);
	*interval = (struct compare_interval) {
		.absent = (1U << rows->count) - 1,
		.valueless = a.absent | b.absent,
	};
	for (unsigned int row = 0; row < rows->count; row++) {
		interval->value[row] = b.value[row] - a.value[row];
		interval->grain[row] = grain(&a, &b, row);
	}
}

/* as many units of a side as it has, each by chance */
static void draw(const struct compare_units *u, enum compare_side side,
		 const struct compare_rows *rows, struct random *r,
		 struct compare_sample *sample)
{
	unsigned int first = side == COMPARE_B ? u->side[COMPARE_A] : 0;
	uint16_t list[COMPARE_UNITS_MAX];

	for (unsigned int i = 0; i < u->side[side]; i++)
		list[i] = (uint16_t)(first + random_below(r, u->side[side]));
	compare_units_sample(u, rows, list, u->side[side], sample);
}

/* draws[row * DRAWS + i] is what the i-th draw shows for a row */
static uint32_t draw_all(const struct compare_units *u,
			 const struct compare_rows *rows, double *draws)
{
	uint32_t absent = 0;
	struct random r;

	random_init(&r, u->all + UINT64_C(0x100000000));
	for (unsigned int i = 0; i < DRAWS; i++) {
		struct compare_sample a, b;

		draw(u, COMPARE_A, rows, &r, &a);
		draw(u, COMPARE_B, rows, &r, &b);
		absent |= a.absent | b.absent;
		for (unsigned int row = 0; row < rows->count; row++)
			draws[row * DRAWS + i] = b.value[row] - a.value[row];
	}
	return absent;
}

static int ascending(const void *one, const void *other)
{
	double x = *(const double *)one, y = *(const double *)other;

	return (x > y) - (x < y);
}

/* what a part of the sorted draws lies below, between two by proportion */
static double quantile(const double *sorted, double part)
{
	double at = part * (DRAWS - 1);
	unsigned int i = (unsigned int)at;

	return sorted[i] + (at - i) * (sorted[i + 1] - sorted[i]);
}

/* how much wider than the drawn ones, for that many units per side */
static double widening(const struct compare_units *u)
{
	unsigned int a = u->side[COMPARE_A], b = u->side[COMPARE_B];
	double few = a < b ? a : b;

	return student_reach(0.95, a + b - 2) / student_reach(0.95, ENDLESS) *
		sqrt(few / (few - 1));
}

int compare_boot(const struct compare_units *u,
		 const struct compare_rows *rows,
		 const double correlation[COMPARE_ROWS],
		 struct compare_interval *interval)
{
	double *draws = calloc((size_t)rows->count * DRAWS, sizeof(*draws));
	double few = widening(u);

	if (!draws)
		return -ENOMEM;
	compare_boot_values(u, rows, interval);
	interval->absent = interval->valueless | draw_all(u, rows, draws);
	for (unsigned int row = 0; row < rows->count; row++) {
		double *sorted = draws + row * DRAWS;
		double r = correlation[row], value = interval->value[row];
		double wide = few * sqrt((1 + r) / (1 - r));

		qsort(sorted, DRAWS, sizeof(*sorted), ascending);
		interval->low[row] = value - interval->grain[row] -
			(value - quantile(sorted, 0.025)) * wide;
		interval->high[row] = value + interval->grain[row] +
			(quantile(sorted, 0.975) - value) * wide;
	}
	free(draws);
	return 0;
}
