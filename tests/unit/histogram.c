/* SPDX-License-Identifier: GPL-2.0-only */
/* Percentiles out of counts in classes. */
#include "base/histogram.h"
#include "make.h"

static void test_none(void **state)
{
	static struct histogram s;

	(void)state;
	assert_int_equal(histogram_at(&s, 500), 0);
	assert_int_equal(histogram_at(&s, 1000), 0);
}

/* below 128 every number has a class of its own */
static void test_small(void **state)
{
	static struct histogram s;

	(void)state;
	for (uint64_t i = 1; i <= 100; i++)
		histogram_add(&s, i, 1);
	assert_int_equal(histogram_at(&s, 500), 50);
	assert_int_equal(histogram_at(&s, 900), 90);
	assert_int_equal(histogram_at(&s, 990), 99);
	assert_int_equal(histogram_at(&s, 1000), 100);
	assert_int_equal(histogram_at(&s, 1), 1);
	assert_int_equal(s.max, 100);
}

/* whatever the number, it comes back at most 1/64 too large */
static void test_bound(void **state)
{
	static struct histogram s;
	uint64_t seed = 7;

	(void)state;
	for (int i = 0; i < 10000; i++) {
		uint64_t v = ((uint64_t)chance(&seed) << 33 | chance(&seed)) >>
			     chance(&seed) % 64;
		uint64_t got;

		s = (struct histogram){ .total = 0 };
		histogram_add(&s, v, 1);
		histogram_add(&s, UINT64_MAX, 1);
		got = histogram_at(&s, 500);
		assert_true(got >= v && got - v <= v / 64);
	}
	assert_true(histogram_at(&s, 1000) == UINT64_MAX);
}

/* never above the greatest number there was */
static void test_max(void **state)
{
	static struct histogram s;

	(void)state;
	histogram_add(&s, 1000001, 5);
	assert_int_equal(histogram_at(&s, 990), 1000001);
}

static void test_merge(void **state)
{
	static struct histogram a, b;

	(void)state;
	histogram_add(&a, 1, 90);
	histogram_add(&b, 50, 10);
	histogram_add(&b, 70, 0);
	histogram_merge(&a, &b);
	assert_int_equal(a.total, 100);
	assert_int_equal(a.max, 50);
	assert_int_equal(histogram_at(&a, 900), 1);
	assert_int_equal(histogram_at(&a, 910), 50);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_none),
		cmocka_unit_test(test_small),
		cmocka_unit_test(test_bound),
		cmocka_unit_test(test_max),
		cmocka_unit_test(test_merge),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
