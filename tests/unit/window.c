/* SPDX-License-Identifier: GPL-2.0-only */
/* The stopwatch window: what -w takes and what it refuses. */
#include "make.h"
#include "run/window.h"

static void check(const char *text, uint64_t start, uint64_t end)
{
	struct window w = { 0, 1 };

	assert_int_equal(window_parse(&w, text), WINDOW_OK);
	assert_int_equal(w.start, start);
	assert_int_equal(w.end, end);
}

static void refuse(const char *text, enum window_error why)
{
	struct window w = { 0, 0 };

	assert_int_equal(window_parse(&w, text), why);
}

/* one number is the end, two are start and end, in seconds */
static void test_plain(void **state)
{
	(void)state;
	check("5", 0, 5000000000);
	check("2:5", 2000000000, 5000000000);
	check("0:1", 0, 1000000000);
	check("0.5:1.25", 500000000, 1250000000);
	check(" 1e1", 0, 10000000000);
}

/* an end alone leaves the start as it was */
static void test_twice(void **state)
{
	struct window w = WINDOW_ALL;

	(void)state;
	assert_int_equal(window_parse(&w, "2:5"), WINDOW_OK);
	assert_int_equal(window_parse(&w, "3"), WINDOW_OK);
	assert_int_equal(w.start, 2000000000);
	assert_int_equal(w.end, 3000000000);
	assert_int_equal(window_parse(&w, "1"), WINDOW_EMPTY);
}

/* as 1.3.0 has it: what is negative is for ever */
static void test_extremes(void **state)
{
	(void)state;
	check("-1", 0, UINT64_MAX - 999999999);
	check("-5:-1", UINT64_MAX - 4999999999, UINT64_MAX - 999999999);
	check("1:-1e30", 1000000000, 1ull << 63);
	check("nan", 0, 1ull << 63);
	check("1e10", 0, 10000000000000000000u);
}

/* no number, junk, a bad end, nothing inside: each is told apart */
static void test_refused(void **state)
{
	(void)state;
	refuse("", WINDOW_NO_NUMBER);
	refuse("x", WINDOW_NO_NUMBER);
	refuse(":5", WINDOW_NO_NUMBER);
	refuse("5s", WINDOW_JUNK);
	refuse("5,6", WINDOW_JUNK);
	refuse("5:", WINDOW_BAD_END);
	refuse("5:x", WINDOW_BAD_END);
	refuse("5:6:7", WINDOW_BAD_END);
	refuse("5:6s", WINDOW_BAD_END);
	refuse("0", WINDOW_EMPTY);
	refuse("5:5", WINDOW_EMPTY);
	refuse("6:5", WINDOW_EMPTY);
	/* what is too large is nothing */
	refuse("18446744074", WINDOW_EMPTY);
	refuse("1e30", WINDOW_EMPTY);
	refuse("3:inf", WINDOW_EMPTY);
	refuse("-7:1", WINDOW_EMPTY);
	refuse("nan:1", WINDOW_EMPTY);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_plain),
		cmocka_unit_test(test_twice),
		cmocka_unit_test(test_extremes),
		cmocka_unit_test(test_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
