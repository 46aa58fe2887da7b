/* SPDX-License-Identifier: GPL-2.0-only */
/* Sets that may have a number: never a wrong no, and seldom a wrong yes. */
#include "base/bloom.h"
#include "make.h"

enum { BITS = 16, NUMBERS = 2000 };

/* neither far apart nor in a row do numbers that are in get a no */
static void test_members(void **state)
{
	static uint64_t set[BLOOM_WORDS(BITS)];
	uint64_t seed = 5;

	(void)state;
	for (uint64_t i = 0; i < NUMBERS; i++) {
		uint64_t any = chance(&seed);

		bloom_add(set, BITS, any);
		bloom_add(set, BITS, 8 * i);
		assert_true(bloom_may_have(set, BITS, any));
	}
	for (uint64_t i = 0; i < NUMBERS; i++)
		assert_true(bloom_may_have(set, BITS, 8 * i));
}

/* an empty set has nothing, and one of few numbers says so of most others */
static void test_others(void **state)
{
	static uint64_t set[BLOOM_WORDS(BITS)];
	uint64_t seed = 7;
	int wrong = 0;

	(void)state;
	assert_false(bloom_may_have(set, BITS, 0));
	assert_false(bloom_may_have(set, BITS, UINT64_MAX));
	for (uint64_t i = 0; i < NUMBERS; i++)
		bloom_add(set, BITS, 8 * i);
	for (int i = 0; i < NUMBERS; i++)
		wrong += bloom_may_have(set, BITS, 8 * NUMBERS + chance(&seed));
	assert_true(wrong < NUMBERS / 16);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_members),
		cmocka_unit_test(test_others),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
