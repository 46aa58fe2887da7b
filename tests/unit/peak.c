/* SPDX-License-Identifier: GPL-2.0-only */
/* The most at a time: right without room, or told that it is not. */
#include "make.h"
#include "stat/depth.h"

/* with little room the result is right, or less and told to be */
static void test_bound(void **state)
{
	uint64_t seed = 3;
	unsigned int told = 0;

	(void)state;
	for (int i = 0; i < 2000; i++) {
		struct peak small, large;
		uint64_t end = 0;

		peak_init(&small, 4);
		peak_init(&large, 1000);
		for (int k = 0; k < 100; k++) {
			uint64_t from;

			end += chance(&seed) % 3 + 1;
			from = end - 1 - chance(&seed) % (end > 9 ? 9 : end);
			assert_int_equal(peak_add(&small, from, end), 0);
			assert_int_equal(peak_add(&large, from, end), 0);
			assert_true(small.count <= 4);
		}
		assert_true(large.exact);
		assert_true(small.most <= large.most);
		assert_true(small.most == large.most || !small.exact);
		told += !small.exact;
		peak_free(&small);
		peak_free(&large);
	}
	assert_true(told > 100);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bound),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
