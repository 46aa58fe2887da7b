/* SPDX-License-Identifier: GPL-2.0-only */
/* Histograms in few rows. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/histogram.h"
#include "stat/scale.h"

static void fill(struct histogram *h, const uint64_t *values, unsigned int n)
{
	*h = (struct histogram){ 0 };
	for (unsigned int i = 0; i < n; i++)
		assert_int_equal(histogram_add(h, values[i]), 0);
}

static void test_rows(void **state)
{
	static const uint64_t values[] = { 600, 600, 990, 1000, 1999, 2000,
					   19999, 20000 };
	struct histogram h;
	struct bins b;

	(void)state;
	fill(&h, values, 8);
	bins_make(&b, &h, 6);
	assert_int_equal(b.count, 6);
	assert_int_equal(b.total, 8);
	assert_int_equal(b.most, 3);
	assert_int_equal(b.rows[0].from, 500);
	assert_int_equal(b.rows[0].to, 1000);
	assert_int_equal(b.rows[0].count, 3);
	assert_int_equal(b.rows[1].count, 2);
	assert_int_equal(b.rows[2].count, 1);
	assert_int_equal(b.rows[3].count, 0);
	assert_int_equal(b.rows[3].up_to, 6);
	assert_int_equal(b.rows[5].to, 50000);
	assert_int_equal(b.rows[5].up_to, 8);
	bins_make(&b, &h, 5);
	assert_int_equal(b.count, 3);
	assert_int_equal(b.rows[0].from, 100);
	assert_int_equal(b.rows[1].count, 3);
	bins_make(&b, &h, 11);
	assert_int_equal(b.count, 11);
	assert_int_equal(b.rows[1].from, 700);
	histogram_free(&h);
}

/* no number is lost, wherever cells and steps meet */
static void test_all(void **state)
{
	struct histogram h = { 0 };
	struct bins b;

	(void)state;
	bins_make(&b, &h, 10);
	assert_int_equal(b.count, 0);
	assert_int_equal(b.total, 0);
	for (uint64_t n = 1; n; n <<= 1) {
		assert_int_equal(histogram_add(&h, n - 1), 0);
		assert_int_equal(histogram_add(&h, n), 0);
		assert_int_equal(histogram_add(&h, n + n / 3), 0);
	}
	histogram_add(&h, UINT64_MAX);
	for (unsigned int rows = 1; rows < 200; rows++) {
		uint64_t sum = 0;

		bins_make(&b, &h, rows);
		assert_in_range(b.count, 1, rows);
		for (unsigned int i = 0; i < b.count; i++) {
			sum += b.rows[i].count;
			assert_int_equal(b.rows[i].up_to, sum);
			assert_true(b.rows[i].from < b.rows[i].to);
		}
		assert_int_equal(sum, h.count);
		assert_int_equal(b.rows[0].from, 0);
	}
	histogram_free(&h);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_all),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
