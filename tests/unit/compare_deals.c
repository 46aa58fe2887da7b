/* SPDX-License-Identifier: GPL-2.0-only */
/* What chance can do: every way to deal, or many, and how far draws reach. */
#include <math.h>

#include "compare/boot.h"
#include "compare/deals.h"
#include "compare/slices.h"
#include "compare/units.h"
#include "make.h"

enum { RUNS = 12 };

static const struct compare_rows ROWS = { 3, { 0, 0, 50000 } };
static const double NONE[COMPARE_ROWS] = { 0 };

struct bench {
	struct compare_slices runs[COMPARE_SIDES][RUNS];
	struct compare_units units;
};

/* a runs of A and b of B, each of 100 ios in 1 ms; B's take factor as long */
static void set_up(struct bench *x, unsigned int a, unsigned int b,
		   unsigned int factor)
{
	struct compare_units_source source = {
		.runs = { x->runs[0], x->runs[1] }, .number = { a, b },
		.ops = 1U << IO_READ,
	};

	for (unsigned int i = 0; i < a + b; i++) {
		struct compare_slices *s = i < a ? &x->runs[0][i] :
						   &x->runs[1][i - a];

		compare_slices_init(s, true);
		for (uint64_t k = 0; k < 100; k++)
			assert_int_equal(compare_slices_add(s, IO_READ,
				k * 10000, (1000 + i * 7 % 13 + k) *
				(i < a ? 1 : factor)), 0);
	}
	assert_int_equal(compare_units_make(&x->units, &source), 0);
}

static void tear_down(struct bench *x)
{
	for (unsigned int i = 0; i < RUNS; i++) {
		compare_slices_free(&x->runs[0][i]);
		compare_slices_free(&x->runs[1][i]);
	}
	compare_units_free(&x->units);
}

static double p_of(struct compare_deals *d, unsigned int row)
{
	double largest[COMPARE_DEALS] = { 0 };

	compare_deals_largest(d, largest);
	return compare_deals_p(d, row, largest);
}

/* 4 and 4 can be dealt in 70 ways: the true one and its mirror stand out */
static void test_every_way(void **state)
{
	struct bench x = { 0 };
	struct compare_deals d;

	(void)state;
	set_up(&x, 4, 4, 3);
	assert_int_equal(compare_deals_make(&d, &x.units, &ROWS, NONE), 0);
	assert_int_equal(d.number, 70);
	assert_true(fabs(p_of(&d, COMPARE_MEAN) - 2.0 / 70) < 1e-12);
	assert_true(fabs(p_of(&d, COMPARE_PERCENTILE) - 2.0 / 70) < 1e-12);
	/* all have the same rate */
	assert_true(p_of(&d, COMPARE_RATE) == 1);
	assert_int_equal(d.absent, 0);
	compare_deals_free(&d);
	tear_down(&x);
}

/* each way is there once: 3 of 5 are ten, whose sums are all different */
static void test_once(void **state)
{
	struct bench x = { 0 };
	struct compare_deals d;

	(void)state;
	set_up(&x, 3, 2, 3);
	assert_int_equal(compare_deals_make(&d, &x.units, &ROWS, NONE), 0);
	assert_int_equal(d.number, 10);
	for (unsigned int i = 0; i < d.number; i++)
		for (unsigned int k = i + 1; k < d.number; k++)
			assert_true(fabs(d.out[i * d.rows] -
					 d.out[k * d.rows]) > 1e-6);
	compare_deals_free(&d);
	tear_down(&x);
}

/* more ways than are dealt: always the same ones, and none as far out */
static void test_random(void **state)
{
	struct bench x = { 0 };
	struct compare_deals d, again;

	(void)state;
	set_up(&x, 12, 12, 2);
	assert_int_equal(compare_deals_make(&d, &x.units, &ROWS, NONE), 0);
	assert_int_equal(compare_deals_make(&again, &x.units, &ROWS, NONE), 0);
	assert_int_equal(d.number, COMPARE_DEALS);
	assert_memory_equal(d.out, again.out, sizeof(*d.out) * d.number *
			    d.rows);
	assert_true(p_of(&d, COMPARE_MEAN) == (double)(1.0 / COMPARE_DEALS));
	compare_deals_free(&again);
	compare_deals_free(&d);
	tear_down(&x);
}

/* slices that are alike are less remarkable: (1 + 0.8) / (1 - 0.8) is 9 */
static void test_alike(void **state)
{
	const double alike[COMPARE_ROWS] = { 0.8 };
	struct bench x = { 0 };
	struct compare_deals d, less;

	(void)state;
	set_up(&x, 8, 8, 2);
	assert_int_equal(compare_deals_make(&d, &x.units, &ROWS, NONE), 0);
	assert_int_equal(compare_deals_make(&less, &x.units, &ROWS, alike), 0);
	assert_true(fabs(d.out[0] - 3 * less.out[0]) < 1e-9);
	assert_true(d.out[d.rows] == less.out[d.rows]);
	assert_true(p_of(&less, COMPARE_MEAN) > 0.05);
	compare_deals_free(&less);
	compare_deals_free(&d);
	tear_down(&x);
}

/* Four and five: the median of a mixture is one of A's or one of B's: many
 * deals look as far out as the true one; none of shares does. */
static void test_shares(void **state)
{
	struct bench x = { 0 };
	struct compare_deals d;

	(void)state;
	set_up(&x, 4, 5, 3);
	assert_int_equal(compare_deals_make(&d, &x.units, &ROWS, NONE), 0);
	assert_true(fabs(p_of(&d, COMPARE_PERCENTILE) - 1.0 / 126) < 1e-12);
	compare_deals_free(&d);
	tear_down(&x);
}

/* runs of which each side has one that is all: no change would stand out */
static void test_powerless(void **state)
{
	double null[COMPARE_DEALS] = { 0 };
	struct compare_power power;
	struct bench x = { 0 };
	struct compare_deals d;

	(void)state;
	set_up(&x, 4, 4, 1);
	x.units.sum[3] *= 1e100;
	x.units.sum[7] *= 1e100;
	assert_int_equal(compare_deals_make(&d, &x.units, &ROWS, NONE), 0);
	compare_deals_null(&d, null);
	power = compare_deals_power(&d, null, 0.9, 0.05, 0.05);
	assert_true(power.known);
	assert_true(power.detects > 10 && power.detects <= COMPARE_DETECTS_MAX);
	assert_true(!power.needs || power.needs > 1000);
	compare_deals_free(&d);
	tear_down(&x);
}

/* a run without ios: what cannot be seen in every deal has no p */
static void test_absent(void **state)
{
	struct bench x = { 0 };
	struct compare_deals d;

	(void)state;
	set_up(&x, 1, 1, 1);
	x.units.count[1] = 0;
	assert_int_equal(compare_deals_make(&d, &x.units, &ROWS, NONE), 0);
	assert_int_equal(d.number, 2);
	assert_int_equal(d.absent, 7);
	compare_deals_free(&d);
	tear_down(&x);
}

/* the interval is around the difference, and wider when units are alike */
static void test_intervals(void **state)
{
	const double alike[COMPARE_ROWS] = { 0.6 };
	struct compare_interval one, wide;
	struct bench x = { 0 };
	unsigned int row = COMPARE_MEAN;

	(void)state;
	set_up(&x, 8, 6, 2);
	assert_int_equal(compare_boot(&x.units, &ROWS, NONE, &one), 0);
	assert_int_equal(compare_boot(&x.units, &ROWS, alike, &wide), 0);
	assert_int_equal(one.absent, 0);
	assert_true(fabs(one.value[row] - log(2)) < 0.01);
	/* runs differ by 1 % at most */
	assert_true(one.low[row] < one.value[row] &&
		    one.low[row] > one.value[row] - 0.01);
	assert_true(one.high[row] > one.value[row] &&
		    one.high[row] < one.value[row] + 0.01);
	/* (1 + 0.6) / (1 - 0.6) is 4 */
	assert_true(fabs((wide.high[row] - wide.value[row]) / 2 -
			 (one.high[row] - one.value[row])) < 1e-9);
	/* a percentile is only known to be in a cell, on both sides */
	assert_true(one.low[COMPARE_PERCENTILE] <=
		    one.value[COMPARE_PERCENTILE] - 2.0 / 256);
	assert_true(one.high[COMPARE_PERCENTILE] >=
		    one.value[COMPARE_PERCENTILE] + 2.0 / 256);
	assert_true(one.grain[COMPARE_MEAN] == 0);
	compare_boot_values(&x.units, &ROWS, &one);
	assert_int_equal(one.absent, 7);
	assert_int_equal(one.valueless, 0);
	tear_down(&x);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_way),
		cmocka_unit_test(test_once),
		cmocka_unit_test(test_random),
		cmocka_unit_test(test_alike),
		cmocka_unit_test(test_shares),
		cmocka_unit_test(test_powerless),
		cmocka_unit_test(test_absent),
		cmocka_unit_test(test_intervals),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
