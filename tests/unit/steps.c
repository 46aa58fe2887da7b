/* SPDX-License-Identifier: GPL-2.0-only */
/* Ladders of round numbers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "stat/scale.h"

/* what a ladder of 1-2-5 is */
static void test_125(void **state)
{
	static const uint64_t want[] = { 1, 2, 5, 10, 20, 50, 100, 200 };

	(void)state;
	for (unsigned int i = 0; i < 8; i++)
		assert_int_equal(steps_low(STEPS_3, i), want[i]);
	assert_int_equal(steps_low(STEPS_6, 19), 1500);
	assert_int_equal(steps_low(STEPS_6, 1), 2);
	assert_int_equal(steps_low(STEPS_HALF, 2), 10000);
	assert_int_equal(steps_find(STEPS_3, 0), 0);
	assert_int_equal(steps_find(STEPS_3, 499), 7);
	assert_int_equal(steps_find(STEPS_3, 500), 8);
	assert_int_equal(steps_find(STEPS_6, 2), 2);
}

/* they ascend, a number is found where it is, and the last one has the end */
static void test_find(void **state)
{
	(void)state;
	for (enum steps k = 0; k < STEPS_KINDS; k++) {
		unsigned int count = steps_count(k);

		assert_true(count <= STEPS_MAX);
		for (unsigned int i = 0; i + 1 < count; i++) {
			uint64_t low = steps_low(k, i);
			uint64_t next = steps_low(k, i + 1);

			assert_true(low <= next);
			if (low == next || low == UINT64_MAX)
				continue;
			assert_int_equal(steps_find(k, low), i);
			assert_int_equal(steps_find(k, next - 1), i);
		}
		assert_int_equal(steps_low(k, count), UINT64_MAX);
		assert_true(steps_find(k, UINT64_MAX) < count);
		assert_true(steps_low(k, steps_find(k, UINT64_MAX)) <
			    UINT64_MAX);
	}
}

/* the steps of a coarser ladder are among those of a finer one */
static void test_nested(void **state)
{
	(void)state;
	for (enum steps k = 1; k < STEPS_KINDS; k++) {
		for (unsigned int i = 0; i < steps_count(k); i++) {
			uint64_t low = steps_low(k, i);
			bool found = false;

			for (unsigned int f = 0; f < steps_count(k - 1); f++)
				found |= steps_low(k - 1, f) == low;
			assert_true(found);
		}
	}
}

static void test_choose(void **state)
{
	(void)state;
	/* 67.6us to 19.1ms: 16 steps of the six, 8 of 1-2-5, 4 decades */
	assert_int_equal(steps_choose(STEPS_6, 67650, 19089490, 16), STEPS_6);
	assert_int_equal(steps_choose(STEPS_6, 67650, 19089490, 15), STEPS_3);
	assert_int_equal(steps_choose(STEPS_6, 67650, 19089490, 8), STEPS_3);
	assert_int_equal(steps_choose(STEPS_6, 67650, 19089490, 7), STEPS_1);
	assert_int_equal(steps_choose(STEPS_6, 67650, 19089490, 3), STEPS_HALF);
	assert_int_equal(steps_choose(STEPS_6, 0, UINT64_MAX, 12), STEPS_HALF);
	assert_int_equal(steps_choose(STEPS_24, 0, UINT64_MAX, 1), STEPS_NONE);
	assert_int_equal(steps_choose(STEPS_24, 0, UINT64_MAX, 5),
			 STEPS_QUARTER);
	assert_int_equal(steps_choose(STEPS_24, 1000, 1001, 1), STEPS_24);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_125),
		cmocka_unit_test(test_find),
		cmocka_unit_test(test_nested),
		cmocka_unit_test(test_choose),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
