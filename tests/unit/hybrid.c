/* SPDX-License-Identifier: GPL-2.0-only */
/* Numbers side by side, and as runs: the bytes that the format describes. */
#include "chained.h"
#include "emit/parquet/hybrid.h"

/* 0 to 7 in three bits, from the format's own description */
static void test_described(void **state)
{
	static const uint32_t numbers[] = { 0, 1, 2, 3, 4, 5, 6, 7 };
	struct chained c;

	(void)state;
	chained_init(&c);
	assert_int_equal(hybrid_numbers(&c.chain, numbers, 8, 3), 0);
	CHAINED_EXPECT(&c, 0x03, 0x88, 0xc6, 0xfa);
	chained_free(&c);
}

/* each width, bit by bit */
static void test_widths(void **state)
{
	enum { COUNT = 40 };
	uint64_t numbers[COUNT];
	uint8_t bytes[COUNT * 8 + BITS_BEYOND];

	(void)state;
	for (unsigned int width = 0; width <= 64; width++) {
		for (unsigned int i = 0; i < COUNT; i++)
			numbers[i] = width ? (i + 3) * 0x9e3779b97f4a7c15u >>
				(64 - width) : 0;
		assert_int_equal(bits_pack(bytes, numbers, COUNT, width) -
				 bytes, COUNT * width / 8);
		for (unsigned int i = 0; i < COUNT * width; i++)
			assert_int_equal(bytes[i / 8] >> i % 8 & 1,
					 numbers[i / width] >> i % width & 1);
	}
	assert_int_equal(bits_width(0), 0);
	assert_int_equal(bits_width(1), 1);
	assert_int_equal(bits_width(UINT64_MAX), 64);
}

static void test_runs(void **state)
{
	uint32_t numbers[100];
	struct chained c;

	(void)state;
	chained_init(&c);
	for (unsigned int i = 0; i < 100; i++)
		numbers[i] = i < 90 ? 300 : i;
	assert_int_equal(hybrid_numbers(&c.chain, numbers, 0, 1), 0);
	assert_int_equal(hybrid_numbers(&c.chain, numbers, 90, 9), 0);
	CHAINED_EXPECT(&c, 180, 1, 0x2c, 1);
	/* the two that are too many for groups of eight are packed */
	assert_int_equal(hybrid_numbers(&c.chain, numbers, 92, 9), 0);
	CHAINED_EXPECT(&c, 176, 1, 0x2c, 1, 0x03, 0x2c, 0x59, 0x6a, 0xd9, 2,
		       0, 0, 0, 0);
	chained_free(&c);
}

static void test_bits(void **state)
{
	static const uint64_t words[] = { UINT64_MAX, UINT64_MAX, 5, 0, 0, 1 };
	struct chained c;

	(void)state;
	chained_init(&c);
	assert_int_equal(hybrid_bits(&c.chain, words, 0), 0);
	assert_int_equal(hybrid_bits(&c.chain, words, 100), 0);
	CHAINED_EXPECT(&c, 0xc8, 0x01, 1);
	assert_int_equal(hybrid_bits(&c.chain, words, 5 * 64 + 9), 0);
	CHAINED_EXPECT(&c, 0x80, 0x02, 1, 0x11, 5, 0, 0, 0, 0, 0, 0, 0,
		       0x80, 0x02, 0, 0x05, 1, 0);
	chained_free(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_described),
		cmocka_unit_test(test_widths),
		cmocka_unit_test(test_runs),
		cmocka_unit_test(test_bits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
