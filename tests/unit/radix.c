/* SPDX-License-Identifier: GPL-2.0-only */
/* Numbers in order, equal ones as they were. */
#include "base/radix.h"
#include "make.h"

enum { MANY = 5000 };

static void sort_and_check(uint64_t mask, size_t n)
{
	struct radix_item list[MANY], spare[MANY], *sorted;
	uint64_t seed = 1 + mask, sum = 0;

	for (size_t i = 0; i < n; i++) {
		seed = seed * 6364136223846793005 + 1442695040888963407;
		list[i].key = (seed ^ seed >> 29) & mask;
		list[i].index = (uint32_t)i;
	}
	sorted = radix_sort(list, spare, n);
	for (size_t i = 0; i < n; i++) {
		sum += sorted[i].index;
		if (!i)
			continue;
		assert_true(sorted[i].key >= sorted[i - 1].key);
		if (sorted[i].key == sorted[i - 1].key)
			assert_true(sorted[i].index > sorted[i - 1].index);
	}
	assert_int_equal(sum, n * (n - 1) / 2);
}

/* most close together, and some far away */
static void test_skewed(void **state)
{
	struct radix_item list[MANY], spare[MANY], *sorted;
	uint64_t seed = 1;

	(void)state;
	for (size_t i = 0; i < MANY; i++) {
		seed = seed * 6364136223846793005 + 1442695040888963407;
		list[i].key = seed >> (i % 64);
		list[i].index = (uint32_t)i;
	}
	sorted = radix_sort(list, spare, MANY);
	for (size_t i = 1; i < MANY; i++)
		assert_true(sorted[i].key > sorted[i - 1].key ||
			    (sorted[i].key == sorted[i - 1].key &&
			     sorted[i].index > sorted[i - 1].index));
}

/* what is in order stays where it is */
static void test_in_order(void **state)
{
	struct radix_item list[MANY], spare[MANY];

	(void)state;
	for (size_t i = 0; i < MANY; i++)
		list[i] = (struct radix_item){ i / 3, (uint32_t)i, 0 };
	assert_ptr_equal(radix_sort(list, spare, MANY), list);
	for (size_t i = 0; i < MANY; i++)
		assert_int_equal(list[i].index, i);
}

static void test_sort(void **state)
{
	(void)state;
	sort_and_check(UINT64_MAX, MANY);
	sort_and_check(0xff00, MANY);
	sort_and_check(0x1003, MANY);
	sort_and_check(UINT64_C(0xff00000000000007), MANY);
	sort_and_check(0, MANY);
	sort_and_check(UINT64_MAX, 1);
	sort_and_check(UINT64_MAX, 16);
	sort_and_check(7, 17);
	assert_non_null(radix_sort((struct radix_item[1]){ { 0 } }, NULL, 0));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sort),
		cmocka_unit_test(test_skewed),
		cmocka_unit_test(test_in_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
