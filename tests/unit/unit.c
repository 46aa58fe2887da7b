/* SPDX-License-Identifier: GPL-2.0-only */
/* Numbers for people. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/unit.h"

#define MS 1000000ull
#define SECOND 1000000000ull

/* the text of a function's, which says its own length */
#define TEXT(function, want, ...)                                         \
	do {                                                              \
		char text[UNIT_MAX + 1] = "################";             \
		unsigned int len = function(text, __VA_ARGS__);           \
                                                                          \
		assert_string_equal(text, want);                          \
		assert_int_equal(len, strlen(want));                      \
		assert_true(len < UNIT_MAX);                              \
	} while (0)

static void test_time(void **state)
{
	(void)state;
	TEXT(unit_time, "0ns", 0);
	TEXT(unit_time, "9ns", 9);
	TEXT(unit_time, "999ns", 999);
	TEXT(unit_time, "1.00us", 1000);
	TEXT(unit_time, "9.17us", 9174);
	TEXT(unit_time, "9.99us", 9994);
	TEXT(unit_time, "10.0us", 9995);
	TEXT(unit_time, "23.2us", 23249);
	TEXT(unit_time, "100us", 99950);
	TEXT(unit_time, "929us", 929499);
	TEXT(unit_time, "999us", 999499);
	TEXT(unit_time, "1.00ms", 999500);
	TEXT(unit_time, "1.00ms", 999600);
	TEXT(unit_time, "2.45ms", 2454999);
	TEXT(unit_time, "64.9ms", 64900 * 1000);
	TEXT(unit_time, "835ms", 835 * MS);
	TEXT(unit_time, "1.00s", SECOND - 1);
	TEXT(unit_time, "17.2s", 17200 * MS);
	TEXT(unit_time, "1000s", 999999 * MS);
	TEXT(unit_time, "99999s", 99999 * SECOND);
	TEXT(unit_time, "100ks", 100000 * SECOND);
	TEXT(unit_time, "18.4Gs", UINT64_MAX);
}

static void test_size(void **state)
{
	(void)state;
	TEXT(unit_size, "0", 0);
	TEXT(unit_size, "512", 512);
	TEXT(unit_size, "999", 999);
	TEXT(unit_size, "0.98K", 1000);
	TEXT(unit_size, "1.00K", 1024);
	TEXT(unit_size, "4.00K", 4096);
	TEXT(unit_size, "8.00K", 8192);
	TEXT(unit_size, "22.2K", 22733);
	TEXT(unit_size, "128K", 131072);
	TEXT(unit_size, "999K", 999 << 10);
	TEXT(unit_size, "0.98M", 1000 << 10);
	TEXT(unit_size, "1.00M", 1 << 20);
	TEXT(unit_size, "1.00M", (1 << 20) - 1);
	TEXT(unit_size, "3.50G", 7ull << 29);
	TEXT(unit_size, "1.00T", 1ull << 40);
	TEXT(unit_size, "16777216T", UINT64_MAX);
}

/* in a sentence: no more digits than it has */
static void test_round_size(void **state)
{
	(void)state;
	TEXT(unit_round_size, "0", 0);
	TEXT(unit_round_size, "512", 512);
	TEXT(unit_round_size, "0.98K", 1000);
	TEXT(unit_round_size, "4K", 4096);
	TEXT(unit_round_size, "22.2K", 22733);
	TEXT(unit_round_size, "128K", 131072);
	TEXT(unit_round_size, "0.98M", 1000 << 10);
	TEXT(unit_round_size, "3.50G", 7ull << 29);
	TEXT(unit_round_size, "1T", 1ull << 40);
}

/* 719 ios in 2.7006 s, 130 flushes, and what else the tables have */
static void test_rate(void **state)
{
	(void)state;
	TEXT(unit_rate, "266", 719, 2700600000);
	TEXT(unit_rate, "48.1", 130, 2700600000);
	TEXT(unit_rate, "1.07k", 533, SECOND / 2);
	TEXT(unit_rate, "346", 173, SECOND / 2);
	TEXT(unit_rate, "80.0", 16, SECOND / 5);
	TEXT(unit_rate, "2.10M", 2100000, SECOND);
	TEXT(unit_rate, "0", 0, SECOND);
	TEXT(unit_rate, "0.00", 1, UINT64_MAX);
	TEXT(unit_rate, "-", 5, 0);
	TEXT(unit_rate, ">999E", UINT64_MAX, 1);
}

static void test_rate_mib(void **state)
{
	(void)state;
	TEXT(unit_rate_mib, "5.76", 16311296, 2700600000);
	TEXT(unit_rate_mib, "0.31", 65536, SECOND / 5);
	TEXT(unit_rate_mib, "13.4", 2809856, SECOND / 5);
	TEXT(unit_rate_mib, "1.00", 1 << 20, SECOND);
	TEXT(unit_rate_mib, "3.00k", 3000ull << 20, SECOND);
	TEXT(unit_rate_mib, "-", 1, 0);
	TEXT(unit_rate_mib, "17.6P", UINT64_MAX, 1000000);
	/* 2^63 ns, 2^62 bytes: both ways of counting meet here */
	TEXT(unit_rate_mib, "477", 1ull << 62, 1ull << 63);
	TEXT(unit_rate_mib, "477", (1ull << 52) - 1, (1ull << 53) - 1);
}

static void test_decimal(void **state)
{
	(void)state;
	TEXT(unit_decimal, "0.24", 120 * MS, SECOND / 2);
	TEXT(unit_decimal, "0.08", 8, 100);
	TEXT(unit_decimal, "6.00", 6, 1);
	TEXT(unit_decimal, "9.99", 9994, 1000);
	TEXT(unit_decimal, "10.0", 9996, 1000);
	TEXT(unit_decimal, "999", 9994, 10);
	TEXT(unit_decimal, "1.00k", 9995, 10);
	TEXT(unit_decimal, "0", 0, 7);
	TEXT(unit_decimal, "-", 0, 0);
	TEXT(unit_ratio, ">999E", WIDE_MOST, 1);
}

static void test_share(void **state)
{
	(void)state;
	TEXT(unit_share, "100%", 726, 726);
	TEXT(unit_share, "99%", 6211, 6282);
	TEXT(unit_share, "59%", 59, 100);
	TEXT(unit_share, "0%", 0, 7);
	TEXT(unit_share, "<1%", 1, UINT64_MAX);
	TEXT(unit_share, "<1%", 99, 10000);
	TEXT(unit_share, "1%", 100, 10000);
	TEXT(unit_share, "1%", 149, 10000);
	TEXT(unit_share, "2%", 150, 10000);
	TEXT(unit_share, ">99%", UINT64_MAX - 1, UINT64_MAX);
	TEXT(unit_share, "154%", 154, 100);
	TEXT(unit_share, ">999%", UINT64_MAX, 1);
	TEXT(unit_share, "-", 0, 0);
}

static void test_share_exact(void **state)
{
	(void)state;
	TEXT(unit_share_exact, "19.91%", 1493, 7500, 2);
	TEXT(unit_share_exact, "19.907%", 1493, 7500, 3);
	TEXT(unit_share_exact, "100.000%", 7500, 7500, 3);
	TEXT(unit_share_exact, "9.1%", 60, 660, 1);
	TEXT(unit_share_exact, "0.00%", 0, 1, 2);
	TEXT(unit_share_exact, "-", 0, 0, 2);
}

static void test_step(void **state)
{
	(void)state;
	TEXT(unit_step, "0ns", 0);
	TEXT(unit_step, "500ns", 500);
	TEXT(unit_step, "1us", 1000);
	TEXT(unit_step, "1.5us", 1500);
	TEXT(unit_step, "20ms", 20 * MS);
	TEXT(unit_step, "150ms", 150 * MS);
	TEXT(unit_step, "10s", 10 * SECOND);
	TEXT(unit_step, "10Gs", 10 * SECOND * SECOND);
}

static void check_spaced(const char *from, const char *want)
{
	char text[UNIT_SPACED_MAX];

	strcpy(text, from);
	unit_space(text);
	assert_string_equal(text, want);
}

static void test_space(void **state)
{
	(void)state;
	check_spaced("2.45ms", "2.45\u202fms");
	check_spaced("929us", "929\u202f\u00b5s");
	check_spaced("18.4Gs", "18.4\u202fGs");
	check_spaced("4K", "4\u202fKiB");
	check_spaced("0.98M", "0.98\u202fMiB");
	check_spaced("512", "512");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_time),
		cmocka_unit_test(test_size),
		cmocka_unit_test(test_round_size),
		cmocka_unit_test(test_space),
		cmocka_unit_test(test_rate),
		cmocka_unit_test(test_rate_mib),
		cmocka_unit_test(test_decimal),
		cmocka_unit_test(test_share),
		cmocka_unit_test(test_share_exact),
		cmocka_unit_test(test_step),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
