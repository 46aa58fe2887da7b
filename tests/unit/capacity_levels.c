/* SPDX-License-Identifier: GPL-2.0-only */
/* Tests of capacity/levels: times, completions and Little's sums by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "capacity/levels.h"
#include "request/io.h"

static struct levels *levels_in(uint64_t start, uint64_t end)
{
	const struct window w = { start, end };
	struct levels *l;

	assert_int_equal(levels_new(&l, &w, 500), 0);
	return l;
}

static void add(struct levels *l, uint64_t from, uint64_t to, uint32_t level)
{
	const struct io io = { .time = from, .total = to - from,
			       .level = level, .bytes = 512 };

	levels_go(l, to, from, false);
	assert_int_equal(levels_add(l, &io), 0);
}

static void assert_level(const struct levels *l, uint32_t level, uint64_t time,
			 uint64_t done, uint64_t came)
{
	const struct level *at = levels_at(l, levels_row(level));

	assert_non_null(at);
	assert_int_equal(level_sum(at->time), time);
	assert_int_equal(at->area.low, level * time);
	assert_int_equal(level_sum(at->done), done);
	assert_int_equal(at->latency.count, came);
	assert_int_equal(level_sum(at->came), came);
}

static void test_rows(void **state)
{
	unsigned int row = 0;

	(void)state;
	for (uint32_t level = 0; level < 200000; level++) {
		unsigned int is = levels_row(level);

		assert_true(is == row || is == row + 1);
		row = is;
		assert_true(levels_low(row) <= level);
		assert_true(level <= levels_high(row));
		if (level < LEVELS_EXACT)
			assert_int_equal(row, level);
		else
			assert_true(levels_high(row) <= level * 9 / 8);
	}
	assert_int_equal(levels_row(UINT32_MAX), LEVELS_ROWS - 1);
}

/* Two come, of which the second is done last. */
static void test_times(void **state)
{
	struct levels *l = levels_in(0, UINT64_MAX);
	struct levels_sums sums;

	(void)state;
	assert_int_equal(levels_come(l, 100), 1);
	assert_int_equal(levels_come(l, 300), 2);
	add(l, 100, 900, 1);
	add(l, 300, 1000, 2);
	levels_end(l, 1500);
	/* the second was alone in its last 100 ns, and an eighth of its 700
	 * before its end */
	assert_level(l, 0, 600, 0, 0);
	assert_level(l, 1, 300, 1, 1);
	assert_level(l, 2, 600, 1, 1);
	assert_int_equal(level_sum(levels_at(l, 1)->slow), 1);
	levels_sums(l, &sums);
	assert_int_equal(sums.counted.low, 1500);
	assert_int_equal(sums.completed.low, 1500);
	assert_int_equal(sums.ios, 2);
	assert_int_equal(sums.to - sums.from, 1500);
	levels_free(l);
}

/* Four complete within an instant, and count where they were before. */
static void test_together(void **state)
{
	struct levels *l = levels_in(0, UINT64_MAX);

	(void)state;
	for (uint32_t i = 0; i < 4; i++)
		assert_int_equal(levels_come(l, 100), i + 1);
	for (uint32_t i = 0; i < 4; i++)
		add(l, 100, 1000 + i, i + 1);
	levels_end(l, 2000);
	assert_level(l, 4, 900, 4, 1);
	assert_level(l, 1, 1, 0, 1);
	levels_free(l);
}

/* only what is in the window, which begins and ends while some are there */
static void test_window(void **state)
{
	struct levels *l = levels_in(1000, 2000);
	struct levels_sums sums;

	(void)state;
	levels_come(l, 500);
	levels_come(l, 800);
	add(l, 500, 900, 1);
	add(l, 800, 1400, 2);
	levels_come(l, 1600);
	add(l, 1600, 2500, 1);
	levels_end(l, 2500);
	assert_level(l, 1, 800, 1, 0);
	assert_int_equal(level_sum(levels_at(l, 2)->time), 0);
	levels_sums(l, &sums);
	assert_int_equal(sums.counted.low, 800);
	assert_int_equal(sums.completed.low, 800);
	assert_int_equal(sums.ios, 1);
	levels_free(l);
}

/* A merged one counts nowhere; one in flight is known to be; a lost one is what
 * Little's law lacks. */
static void test_little(void **state)
{
	const struct io open = { .time = 2000, .age = 500, .level = 2,
				 .total = IO_NONE, .ended = IO_ENDED_OPEN };
	const struct io lost = { .time = 100, .age = 2400, .level = 1,
				 .total = IO_NONE, .ended = IO_ENDED_OPEN };
	struct levels *l = levels_in(0, UINT64_MAX);
	struct levels_sums sums;

	(void)state;
	levels_come(l, 100);
	levels_come(l, 200);
	levels_come(l, 300);
	levels_go(l, 310, 300, true);
	add(l, 200, 900, 2);
	levels_come(l, 2000);
	levels_go(l, 2500, 100, false);
	assert_int_equal(levels_add(l, &lost), 0);
	levels_go(l, 2500, 2000, false);
	assert_int_equal(levels_add(l, &open), 0);
	levels_end(l, 2500);
	levels_sums(l, &sums);
	assert_int_equal(sums.completed.low, 700);
	assert_int_equal(sums.open.low, 500);
	assert_int_equal(sums.counted.low, 700 + 500 + 2400);
	levels_free(l);
}

/* Years without a change take no time. */
static void test_long(void **state)
{
	struct levels *l = levels_in(0, UINT64_MAX);
	uint64_t year = UINT64_C(31557600000000000);
	const struct level *one;

	(void)state;
	levels_come(l, 100);
	add(l, 100, year, 1);
	levels_come(l, 100 * year);
	add(l, 100 * year, 101 * year, 1);
	levels_end(l, 500 * year);
	one = levels_at(l, 1);
	assert_true(level_sum(one->time) == 2 * year - 100);
	for (int i = 1; i < LEVELS_GROUPS; i++)
		assert_true(one->time[i] - one->time[0] + 100000000 <
			    200000000);
	levels_free(l);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_times),
		cmocka_unit_test(test_together),
		cmocka_unit_test(test_window),
		cmocka_unit_test(test_little),
		cmocka_unit_test(test_long),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
