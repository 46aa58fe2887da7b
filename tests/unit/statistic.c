/* SPDX-License-Identifier: GPL-2.0-only */
/* Tests of stat/statistic. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "stat/statistic.h"

static void none(void **state)
{
	const struct histogram h = { .count = 0 };
	uint64_t values[STATISTICS];

	(void)state;
	statistics_of(&h, values);
	for (unsigned int s = 0; s < STATISTICS; s++)
		assert_int_equal(values[s], STATISTIC_NONE);
}

static void some(void **state)
{
	struct histogram h = { .count = 0 };
	uint64_t values[STATISTICS];

	(void)state;
	assert_int_equal(histogram_add(&h, 10), 0);
	assert_int_equal(histogram_add_times(&h, 40, 2), 0);
	statistics_of(&h, values);
	assert_int_equal(values[STATISTIC_MIN], 10);
	assert_int_equal(values[STATISTIC_MEAN], 30);
	assert_int_equal(values[STATISTIC_STDEV], 17);
	assert_int_equal(values[STATISTIC_MAX], 40);
	histogram_free(&h);
}

/* one number has no deviation, the widest two have one that fits */
static void deviation(void **state)
{
	struct histogram h = { .count = 0 };
	uint64_t values[STATISTICS];

	(void)state;
	assert_int_equal(histogram_add(&h, 0), 0);
	statistics_of(&h, values);
	assert_int_equal(values[STATISTIC_STDEV], STATISTIC_NONE);
	assert_int_equal(histogram_add(&h, UINT64_MAX), 0);
	statistics_of(&h, values);
	assert_in_range(values[STATISTIC_STDEV],
			UINT64_C(12990000000000000000),
			UINT64_C(13045000000000000000));
	histogram_free(&h);
}

/* tables print them in this order */
static void sides(void **state)
{
	enum statistic_side last = STATISTIC_BEFORE;

	(void)state;
	for (unsigned int s = 0; s < STATISTICS; s++) {
		assert_true(statistic_row(s)->side >= last);
		last = statistic_row(s)->side;
	}
	assert_int_equal(last, STATISTIC_AFTER);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(none),
		cmocka_unit_test(some),
		cmocka_unit_test(deviation),
		cmocka_unit_test(sides),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
