/* SPDX-License-Identifier: GPL-2.0-only */
/* Numbers as text, held against snprintf() at every length they can have. */
#include <math.h>

#include "base/num.h"
#include "make.h"
#include "rounds.h"

/* Calls check for the numbers around every power of ten and of two. */
static void at_boundaries(void (*check)(uint64_t v))
{
	uint64_t ten = 1;

	check(0);
	check(UINT64_MAX);
	for (int i = 0; i < 20; i++, ten *= 10) {
		check(ten - 1);
		check(ten);
		check(ten + 1);
	}
	for (int i = 0; i < 64; i++) {
		check((1ull << i) - 1);
		check(1ull << i);
	}
}

static void check_same(char *(*render)(char *p, uint64_t v), const char *fmt,
		       uint64_t v)
{
	char ours[64], theirs[64];

	memset(ours, '~', sizeof(ours));
	*render(ours, v) = '\0';
	snprintf(theirs, sizeof(theirs), fmt, (unsigned long long)v);
	assert_string_equal(ours, theirs);
}

static void check_u64(uint64_t v)
{
	check_same(num_u64, "%llu", v);
}

/* plain decimals have as many digits as they need */
static void test_u64(void **state)
{
	(void)state;
	at_boundaries(check_u64);
}

static void check_i64(uint64_t v)
{
	char ours[64], theirs[64];

	*num_i64(ours, (int64_t)v) = '\0';
	snprintf(theirs, sizeof(theirs), "%lld", (long long)v);
	assert_string_equal(ours, theirs);
}

/* all of 64 bits has a sign */
static void test_i64(void **state)
{
	(void)state;
	at_boundaries(check_i64);
}

static void check_digits(uint64_t v)
{
	char theirs[32];
	int len = snprintf(theirs, sizeof(theirs), "%llu",
			   (unsigned long long)v);

	assert_int_equal(num_digits(v), len);
}

/* the number of digits is told without making them */
static void test_digits(void **state)
{
	(void)state;
	at_boundaries(check_digits);
}

static void check_right(uint64_t v)
{
	char ours[64], theirs[64];

	for (int width = 0; width <= 24; width++) {
		*num_u64_right(ours, v, (unsigned int)width) = '\0';
		snprintf(theirs, sizeof(theirs), "%*llu", width,
			 (unsigned long long)v);
		assert_string_equal(ours, theirs);
	}
}

/* every number right-aligned in every width, narrower ones overflow it */
static void test_right(void **state)
{
	(void)state;
	at_boundaries(check_right);
}

static void check_signed(uint64_t v)
{
	char ours[64], theirs[64];

	for (int width = 0; width <= 24; width++) {
		*num_i64_right(ours, (int64_t)v, (unsigned int)width) = '\0';
		snprintf(theirs, sizeof(theirs), "%*lld", width, (long long)v);
		assert_string_equal(ours, theirs);
	}
}

static void check_both_signs(uint64_t v)
{
	check_signed(v);
	check_signed(0 - v);
}

/* the sign stands before the digits and counts as one, INT64_MIN included */
static void test_signed(void **state)
{
	(void)state;
	at_boundaries(check_both_signs);
}

/* a width of thousands, as formats may ask for, is blanks to the last digit */
static void test_wide(void **state)
{
	char text[4100];

	(void)state;
	assert_ptr_equal(num_u64_right(text, 7, 4095), text + 4095);
	for (int i = 0; i < 4094; i++)
		assert_int_equal(text[i], ' ');
	assert_int_equal(text[4094], '7');
}

static void check_hex(uint64_t v)
{
	char ours[64], theirs[64];

	*num_hex(ours, (uint32_t)v) = '\0';
	snprintf(theirs, sizeof(theirs), "%x", (uint32_t)v);
	assert_string_equal(ours, theirs);
}

/* hexadecimal has no leading zeros, and 0 is one digit */
static void test_hex(void **state)
{
	(void)state;
	at_boundaries(check_hex);
}

static void check_nine(uint64_t v)
{
	char ours[64], theirs[64];
	uint32_t nine = (uint32_t)(v % 1000000000);

	*num_nine(ours, nine) = '\0';
	snprintf(theirs, sizeof(theirs), "%09u", nine);
	assert_string_equal(ours, theirs);
}

static void check_slack(uint64_t v)
{
	char text[128], *end;

	for (unsigned int width = 0; width <= 24; width++) {
		memset(text, '~', sizeof(text));
		end = num_u64_right(text, v, width);
		for (end += NUM_SLACK; end < text + sizeof(text); end++)
			assert_int_equal(*end, '~');
		memset(text, '~', sizeof(text));
		end = num_u64(text, v);
		for (end += NUM_SLACK; end < text + sizeof(text); end++)
			assert_int_equal(*end, '~');
	}
}

/* no more is written behind a number than its users make room for */
static void test_slack(void **state)
{
	(void)state;
	at_boundaries(check_slack);
}

/* three digits at a time, with zeros and without, each way there is */
static void test_three(void **state)
{
	char ours[64], theirs[64];

	(void)state;
	for (uint32_t v = 0; v < 1000; v++) {
		*num_three(ours, v) = '\0';
		snprintf(theirs, sizeof(theirs), "%03u", v);
		assert_string_equal(ours, theirs);
		*num_small(ours, v) = '\0';
		snprintf(theirs, sizeof(theirs), "%u", v);
		assert_string_equal(ours, theirs);
	}
}

/* nanoseconds are always nine digits, wherever the digits change */
static void test_nine(void **state)
{
	uint64_t seed = 1;

	(void)state;
	at_boundaries(check_nine);
	for (int i = 0; i < 10000; i++)
		check_nine(chance(&seed));
}

static void check_eight(uint32_t v)
{
	char text[64], *ours = text + 16;

	snprintf(text, sizeof(text), "%8u", v);
	memset(ours, '\0', 16);
	assert_ptr_equal(num_put_eight(ours, num_eight_next(num_eight(text))),
			 ours + 8);
	snprintf(text, 16, "%8u", v + 1);
	assert_string_equal(ours, text);
}

/* eight characters are counted up, as long as there is no digit more */
static void test_eight(void **state)
{
	uint32_t count = (uint32_t)rounds(2000000);
	uint64_t seed = 29;

	(void)state;
	for (uint32_t v = 0; v < count; v++) {
		uint32_t any = (uint32_t)(chance(&seed) % 99999999);

		if (num_digits(v) == num_digits(v + 1))
			check_eight(v);
		if (num_digits(any) == num_digits(any + 1))
			check_eight(any);
	}
	check_eight(99999998);
}

/* as printf(3) has it, except in the middle of two */
static void test_significant(void **state)
{
	uint64_t seed = 5;
	unsigned int close = 0;

	(void)state;
	for (unsigned int i = 0; i < 100000; i++) {
		unsigned int digits = 3 + i % 7;
		double v = ldexp(chance(&seed), -(int)(i % 28));
		char ours[64], theirs[64], *end;

		v /= i % 5 ? (double)(1 << i % 11) : 1000;
		while (v >= pow(10, digits) - 1)
			v /= 10;
		if (v < 0.001)
			continue;
		end = num_significant(ours, v, digits);
		if (!end) {
			close++;
			continue;
		}
		*end = '\0';
		snprintf(theirs, sizeof(theirs), "%.*g", (int)digits, v);
		assert_string_equal(ours, theirs);
	}
	assert_true(close < 20000);
	assert_null(num_significant((char[32]){ 0 }, 1.125, 3));
	assert_null(num_significant((char[32]){ 0 }, 100.5, 3));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_u64),
		cmocka_unit_test(test_i64),
		cmocka_unit_test(test_digits),
		cmocka_unit_test(test_right),
		cmocka_unit_test(test_signed),
		cmocka_unit_test(test_wide),
		cmocka_unit_test(test_hex),
		cmocka_unit_test(test_slack),
		cmocka_unit_test(test_three),
		cmocka_unit_test(test_nine),
		cmocka_unit_test(test_eight),
		cmocka_unit_test(test_significant),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
