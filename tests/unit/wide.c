/* SPDX-License-Identifier: GPL-2.0-only */
/* Numbers of 128 bits; wide_portable.c has the same without the compiler's. */
#include "base/wide.h"
#include "make.h"

#define assert_wide(w, h, l)                          \
	do {                                          \
		struct wide got = w;                  \
                                                      \
		assert_int_equal(got.high, (h));      \
		assert_int_equal(got.low, (l));       \
	} while (0)

static struct wide make(uint64_t high, uint64_t low)
{
	return (struct wide){ low, high };
}

static void test_sums(void **state)
{
	struct wide sum = { 0, 0 };

	(void)state;
	assert_true(wide_is_zero(sum));
	wide_add(&sum, UINT64_MAX);
	assert_wide(sum, 0, UINT64_MAX);
	wide_add(&sum, 1);
	assert_wide(sum, 1, 0);
	assert_false(wide_is_zero(sum));
	wide_join(&sum, make(2, UINT64_MAX));
	assert_wide(sum, 3, UINT64_MAX);
	assert_wide(wide_plus(sum, make(0, 1)), 4, 0);
	assert_wide(wide_minus(make(4, 0), make(0, 1)), 3, UINT64_MAX);
	assert_wide(wide_minus(make(4, 5), make(3, 6)), 0, UINT64_MAX);
	assert_wide(wide_plus(WIDE_MOST, wide_of(1)), 0, 0);
}

static void test_order(void **state)
{
	(void)state;
	assert_true(wide_less(make(1, 9), make(2, 0)));
	assert_true(wide_less(make(1, 9), make(1, 10)));
	assert_false(wide_less(make(1, 9), make(1, 9)));
	assert_false(wide_less(make(2, 0), make(1, 9)));
	assert_true(wide_same(make(1, 9), make(1, 9)));
	assert_false(wide_same(make(1, 9), make(0, 9)));
	assert_false(wide_same(make(1, 9), make(1, 8)));
	assert_int_equal(wide_clamp(make(0, 9)), 9);
	assert_int_equal(wide_clamp(make(1, 9)), UINT64_MAX);
}

static void test_products(void **state)
{
	(void)state;
	assert_wide(wide_product(0, UINT64_MAX), 0, 0);
	assert_wide(wide_product(UINT64_MAX, UINT64_MAX), UINT64_MAX - 1, 1);
	assert_wide(wide_product(0x123456789abcdef0, 0xfedcba9876543210),
		    0x121fa00ad77d7422, 0x236d88fe5618cf00);
	assert_wide(wide_product(UINT32_MAX, (uint64_t)UINT32_MAX << 32),
		    0xfffffffe, 0x0000000100000000);
	assert_wide(wide_times(make(1, UINT64_MAX), 10), 19,
		    UINT64_MAX - 9);
}

static void test_quotients(void **state)
{
	struct wide rest;

	(void)state;
	assert_wide(wide_over(wide_of(100), 7), 0, 14);
	assert_wide(wide_over(WIDE_MOST, 10), 0x1999999999999999,
		    0x9999999999999999);
	assert_wide(wide_divide(WIDE_MOST, WIDE_MOST, &rest), 0, 1);
	assert_wide(rest, 0, 0);
	assert_wide(wide_divide(make(5, 0), make(1, 1), &rest), 0, 4);
	assert_wide(rest, 0, UINT64_MAX - 3);
	assert_wide(wide_divide(make(0, 5), make(1, 1), &rest), 0, 0);
	assert_wide(rest, 0, 5);
	assert_wide(wide_divide(WIDE_MOST, make(UINT64_MAX, 0), &rest), 0, 1);
	assert_wide(rest, 0, UINT64_MAX);
	assert_int_equal(wide_share(UINT64_MAX, 1000, UINT64_MAX), 1000);
	assert_int_equal(wide_share(7, 3, 2), 10);
}

/* quotient * divisor + rest, of numbers of all lengths */
static void test_division_backwards(void **state)
{
	uint64_t x = 1;

	(void)state;
	for (int i = 0; i < 100000; i++) {
		struct wide parts[2], whole, rest, back;

		for (int k = 0; k < 2; k++) {
			x = x * 6364136223846793005 + 1442695040888963407;
			parts[k].low = x >> (x >> 58);
			x = x * 6364136223846793005 + 1442695040888963407;
			parts[k].high = x & 1 << 30 ? 0 : x >> (x >> 58);
		}
		if (wide_is_zero(parts[1]))
			continue;
		whole = wide_divide(parts[0], parts[1], &rest);
		assert_true(wide_less(rest, parts[1]));
		back = wide_times(parts[1], whole.low);
		back.high += parts[1].low * whole.high;
		assert_true(wide_same(wide_plus(back, rest), parts[0]));
	}
}

/* Halves are rounded to even, and what is more than half is not a half. */
static void test_doubles(void **state)
{
	const uint64_t half = 1 << 10, even = UINT64_C(1) << 63;

	(void)state;
	assert_true(wide_double(wide_of(0)) == 0);
	assert_true(wide_double(wide_of(UINT64_MAX)) == 0x1p64);
	assert_true(wide_double(make(1, 0)) == 0x1p64);
	assert_true(wide_double(make(3, 0)) == 0x3p64);
	assert_true(wide_double(make(even + half, 0)) == 0x1p127);
	assert_true(wide_double(make(even + half, 1)) ==
		    0x1.0000000000001p127);
	assert_true(wide_double(make(even + 3 * half, 0)) ==
		    0x1.0000000000002p127);
	assert_true(wide_double(make(1, 1 << 11)) == 0x1p64);
	assert_true(wide_double(make(1, (1 << 11) + 1)) ==
		    0x1.0000000000001p64);
	assert_true(wide_double(WIDE_MOST) == 0x1p128);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sums),
		cmocka_unit_test(test_order),
		cmocka_unit_test(test_products),
		cmocka_unit_test(test_quotients),
		cmocka_unit_test(test_division_backwards),
		cmocka_unit_test(test_doubles),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
