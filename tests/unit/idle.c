/* SPDX-License-Identifier: GPL-2.0-only */
/* Time without any: right without room, or told that it is not. */
#include "make.h"
#include "stat/depth.h"

static void test_bound(void **state)
{
	uint64_t seed = 9;
	unsigned int told = 0, exact = 0;

	(void)state;
	for (int i = 0; i < 2000; i++) {
		uint64_t end = 0, range = chance(&seed) % 2000 + 1;
		struct idle small, large;

		idle_init(&small, 0, 8);
		idle_init(&large, 0, 1000);
		for (int k = 0; k < 100; k++) {
			uint64_t from;

			end += chance(&seed) % 20 + 1;
			from = end - 1;
			if (chance(&seed) % 16 == 0)
				from -= chance(&seed) % range % end;
			assert_int_equal(idle_add(&small, from, end), 0);
			assert_int_equal(idle_add(&large, from, end), 0);
			assert_true(small.count <= 8);
		}
		assert_true(large.exact);
		assert_true(small.sum >= large.sum);
		assert_true(small.sum == large.sum || !small.exact);
		told += !small.exact;
		exact += small.exact;
		idle_free(&small);
		idle_free(&large);
	}
	assert_true(told > 100 && exact > 100);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bound),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
