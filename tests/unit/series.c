/* SPDX-License-Identifier: GPL-2.0-only */
/* Statistics by time. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/histogram.h"
#include "stat/depth_rows.h"
#include "stat/series.h"

static struct series *make(uint64_t from, uint64_t interval, unsigned int wait)
{
	struct series *s = NULL;

	assert_int_equal(series_new(&s, from, interval, wait), 0);
	return s;
}

/* the next row is of a time, and has so many ios */
static void expect(const struct series_row *row, uint64_t from, uint64_t to,
		   uint64_t ios)
{
	assert_int_equal(row->depth.from, from);
	assert_int_equal(row->depth.to, to);
	assert_int_equal(row->ios, ios);
	assert_int_equal(row->spans->count, ios);
}

/* ios count where they end; a row is there when it is over, not before */
static void test_rows(void **state)
{
	struct series *s = make(1000, 100, 0);
	struct series_row row;

	(void)state;
	assert_int_equal(series_next(s, 0, 1050, &row), 0);
	assert_int_equal(series_add(s, 1050, 7, 512, false), 0);
	assert_int_equal(series_next(s, 0, 1099, &row), 0);
	assert_int_equal(series_add(s, 1099, 9, 512, true), 0);
	assert_int_equal(series_add(s, 999, 9, 512, true), 0);
	assert_int_equal(series_next(s, 1100, 1100, &row), 1);
	expect(&row, 1000, 1100, 2);
	assert_int_equal(row.bytes, 1024);
	assert_int_equal(row.errors, 1);
	assert_int_equal(row.spans->max, 9);
	assert_true(row.depth.exact);
	assert_int_equal(series_next(s, 1100, 1100, &row), 0);
	assert_int_equal(series_add(s, 1100, 5, 1, false), 0);
	assert_int_equal(series_next(s, 0, 1320, &row), 1);
	expect(&row, 1100, 1200, 1);
	assert_false(row.depth.exact);
	assert_int_equal(series_next(s, 0, 1320, &row), 1);
	expect(&row, 1200, 1300, 0);
	assert_int_equal(row.left_out, 0);
	assert_int_equal(series_next(s, 0, 1320, &row), 0);
	assert_int_equal(series_last(s, 1350, &row), 1);
	expect(&row, 1300, 1350, 0);
	assert_int_equal(series_last(s, 1350, &row), 0);
	series_free(s);
}

/* an io that ends with the trace, at the very begin of a row */
static void test_last(void **state)
{
	struct series *s = make(0, 100, 0);
	struct series_row row;

	(void)state;
	assert_int_equal(series_next(s, 0, 100, &row), 1);
	assert_int_equal(series_next(s, 0, 100, &row), 0);
	assert_int_equal(series_add(s, 100, 5, 1, false), 0);
	assert_int_equal(series_last(s, 100, &row), 1);
	expect(&row, 100, 101, 1);
	assert_int_equal(series_last(s, 100, &row), 0);
	series_free(s);
	s = make(0, 100, 0);
	assert_int_equal(series_last(s, 100, &row), 1);
	expect(&row, 0, 100, 0);
	assert_int_equal(series_last(s, 100, &row), 0);
	series_free(s);
}

/* what comes when its row has left counts in the next, also behind the end */
static void test_late(void **state)
{
	struct series *s = make(0, 100, 0);
	struct series_row row;

	(void)state;
	assert_int_equal(series_next(s, 0, 250, &row), 1);
	assert_int_equal(series_next(s, 0, 250, &row), 1);
	assert_int_equal(series_next(s, 0, 250, &row), 0);
	assert_int_equal(series_add(s, 150, 5, 1, false), 0);
	assert_int_equal(series_add_request(s, 145, 150), 0);
	assert_int_equal(series_last(s, 160, &row), 1);
	expect(&row, 200, 201, 1);
	assert_true(wide_same(row.depth.integral, wide_of(0)));
	assert_int_equal(series_last(s, 160, &row), 0);
	series_free(s);
	/* a request does not make a row */
	s = make(0, 100, 0);
	assert_int_equal(series_next(s, 0, 100, &row), 1);
	assert_int_equal(series_next(s, 0, 100, &row), 0);
	assert_int_equal(series_add_request(s, 45, 90), 0);
	assert_int_equal(series_last(s, 90, &row), 0);
	series_free(s);
}

/* a request counts in all rows that it was under way in, if they wait */
static void test_depth(void **state)
{
	struct series *s = make(0, 100, 3);
	struct series_row row;

	(void)state;
	assert_int_equal(series_next(s, 0, 250, &row), 0);
	assert_int_equal(series_add_request(s, 50, 250), 0);
	assert_int_equal(series_add_request(s, 240, 250), 0);
	assert_int_equal(series_last(s, 300, &row), 1);
	expect(&row, 0, 100, 0);
	assert_true(wide_same(row.depth.integral, wide_of(50)));
	assert_int_equal(row.depth.busy, 50);
	assert_int_equal(row.depth.most, 1);
	assert_int_equal(series_last(s, 300, &row), 1);
	assert_true(wide_same(row.depth.integral, wide_of(100)));
	assert_int_equal(series_last(s, 300, &row), 1);
	assert_true(wide_same(row.depth.integral, wide_of(60)));
	assert_int_equal(row.depth.busy, 50);
	assert_int_equal(row.depth.most, 2);
	assert_true(row.depth.exact);
	assert_int_equal(series_last(s, 300, &row), 0);
	series_free(s);
}

static uint64_t chance(uint64_t *seed)
{
	*seed = *seed * 6364136223846793005ull + 1442695040888963407ull;
	return *seed >> 33;
}

/* what rows sum up to is what was added, however long it waits */
static void test_sums(void **state)
{
	(void)state;
	for (unsigned int wait = 0; wait < 64; wait++) {
		struct series *s = make(0, 1000, wait);
		uint64_t seed = wait, now = 0, ios = 0, bytes = 0, from = 0;
		struct series_row row;

		for (unsigned int i = 0; i < 3000; i++) {
			now += chance(&seed) % 2000;
			while (series_next(s, 0, now, &row)) {
				assert_int_equal(row.depth.from, from);
				from = row.depth.to;
				ios += row.ios;
				bytes += row.bytes;
			}
			assert_int_equal(series_add(s, now, i, i, false), 0);
			assert_int_equal(series_add_request(s, now / 2, now),
					 0);
		}
		while (series_last(s, now, &row)) {
			assert_int_equal(row.depth.from, from);
			from = row.depth.to;
			ios += row.ios;
			bytes += row.bytes;
		}
		assert_int_equal(ios, 3000);
		assert_int_equal(bytes, 3000 * 2999 / 2);
		series_free(s);
	}
}

/* a jump to the end of time: few rows, and the number of the others */
static void test_jump(void **state)
{
	struct series *s = make(5, 10, 2);
	uint64_t rows = 0, left_out = 0, ios = 0;
	struct series_row row;

	(void)state;
	assert_int_equal(series_next(s, 0, 7, &row), 0);
	assert_int_equal(series_add(s, 7, 1, UINT64_MAX, false), 0);
	assert_int_equal(series_add(s, 8, UINT64_MAX, UINT64_MAX, false), 0);
	for (; series_next(s, 0, UINT64_MAX - 20, &row); rows++) {
		left_out += row.left_out;
		ios += row.ios;
		assert_true(!row.ios || row.bytes == UINT64_MAX);
	}
	assert_int_equal(series_add(s, UINT64_MAX - 20, 1, 1, false), 0);
	for (; series_last(s, UINT64_MAX, &row); rows++) {
		left_out += row.left_out;
		ios += row.ios;
	}
	assert_int_equal(row.left_out, 0);
	assert_int_equal(ios, 3);
	assert_in_range(rows, SERIES_IDLE, SERIES_IDLE + 300);
	assert_int_equal(rows + left_out, (UINT64_MAX - 5) / 10);
	series_free(s);
}

/* what ends far behind the rows that were asked for is no way to the end of
 * time row by row */
static void test_ahead(void **state)
{
	struct series *s = make(0, 1, 2);
	struct series_row row;
	uint64_t rows = 0, ios = 0;

	(void)state;
	assert_int_equal(series_next(s, 0, 7, &row), 1);
	assert_int_equal(series_add(s, 1ull << 40, 1, 1, false), 0);
	assert_int_equal(series_add_request(s, 0, 1ull << 40), 0);
	for (; series_next(s, 0, 1ull << 60, &row); ios += row.ios)
		assert_true(rows++ < SERIES_IDLE + 300);
	assert_int_equal(ios, 1);
	series_free(s);
}

static int add_stuck(void *ctx, struct depth *d)
{
	(void)ctx;
	return depth_add(d, 3, UINT64_MAX);
}

/* a request that never ends, and ten years of rows in which nothing else does */
static void test_stuck(void **state)
{
	const struct depth_open open = { add_stuck, NULL };
	struct series *s = make(0, 10, 2);
	uint64_t rows = 0, left_out = 0;
	struct series_row row;

	(void)state;
	series_watch_open(s, &open);
	for (; series_next(s, 1ull << 58, 1ull << 58, &row); rows++)
		left_out += row.left_out;
	for (; series_last(s, 1ull << 58, &row); rows++)
		left_out += row.left_out;
	left_out += row.left_out;
	assert_in_range(rows, SERIES_IDLE, SERIES_IDLE + 300);
	assert_int_equal(rows + left_out, (1ull << 58) / 10 + 1);
	series_free(s);
}

/* the same when nothing follows */
static void test_empty_end(void **state)
{
	struct series *s = make(0, 1, 0);
	struct series_row row;
	uint64_t rows = 0;

	(void)state;
	while (series_last(s, UINT64_MAX, &row)) {
		assert_int_equal(row.left_out, 0);
		rows++;
	}
	assert_int_equal(rows, SERIES_IDLE);
	assert_int_equal(row.left_out, UINT64_MAX - rows);
	series_free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_last),
		cmocka_unit_test(test_late),
		cmocka_unit_test(test_depth),
		cmocka_unit_test(test_sums),
		cmocka_unit_test(test_jump),
		cmocka_unit_test(test_ahead),
		cmocka_unit_test(test_stuck),
		cmocka_unit_test(test_empty_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
