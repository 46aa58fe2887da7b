/* SPDX-License-Identifier: GPL-2.0-only */
/* How many are under way, by time: each row against plain counting. */
#include <errno.h>

#include "spans.h"
#include "stat/depth_rows.h"

/* when the oldest that is not reported yet began: what a joiner knows */
static uint64_t settled_at(const struct plain *p, unsigned int reported)
{
	uint64_t oldest = TIME;

	for (unsigned int i = reported; i < p->count; i++)
		if (p->spans[i].from < oldest)
			oldest = p->spans[i].from;
	return oldest;
}

static void check_rows(const struct plain *p, uint64_t length)
{
	struct depth_rows *r = malloc(sizeof(*r));
	struct depth_row row;
	struct wide sum = { 0, 0 }, want = { 0, 0 };
	uint64_t at = 0, now = 0;

	assert_non_null(r);
	depth_rows_init(r, 0, length, DEPTH_ROWS - 1);
	for (unsigned int i = 0; i < p->count; i++) {
		const struct depth_span *s = &p->spans[i];

		if (s->to > now)
			now = s->to;
		for (; depth_rows_next(r, settled_at(p, i), now, &row) == 1;
		     at = row.to, wide_join(&sum, row.integral)) {
			assert_int_equal(row.from, at);
			assert_row(p, &row);
		}
		assert_int_equal(depth_rows_add(r, s->from, s->to), 0);
		wide_add(&want, s->to - s->from);
	}
	for (; depth_rows_last(r, TIME, &row) == 1;
	     at = row.to, wide_join(&sum, row.integral)) {
		assert_int_equal(row.from, at);
		assert_row(p, &row);
	}
	assert_int_equal(at, TIME);
	assert_true(wide_same(sum, want));
	depth_rows_free(r);
	free(r);
}

/* every row is exact, and all together are all time spent */
static void test_rows(void **state)
{
	struct plain p;
	uint64_t seed = 21;

	(void)state;
	for (int i = 0; i < 1000; i++) {
		make_spans(&p, &seed, 1 + chance(&seed) % TIME);
		disorder(&p, &seed);
		check_rows(&p, TIME / DEPTH_ROWS + 1 + chance(&seed) % TIME);
	}
}

/* live: a row comes when it is over, though something is open */
static void test_live_rows(void **state)
{
	struct depth_rows r;
	struct depth_row row;

	(void)state;
	depth_rows_init(&r, 0, 10, 0);
	assert_int_equal(depth_rows_add(&r, 1, 3), 0);
	assert_int_equal(depth_rows_next(&r, 2, 9, &row), 0);
	assert_int_equal(depth_rows_next(&r, 2, 10, &row), 1);
	assert_true(wide_same(row.integral, wide_of(2)));
	assert_false(row.exact);
	assert_int_equal(depth_rows_next(&r, 2, 10, &row), 0);
	assert_int_equal(depth_rows_add(&r, 2, 14), 0);
	assert_int_equal(depth_rows_next(&r, 20, 20, &row), 1);
	assert_int_equal(row.from, 10);
	assert_true(wide_same(row.integral, wide_of(4)));
	assert_true(row.exact);
	depth_rows_free(&r);
}

/* a row waits for what is open, but not for ever */
static void test_waiting_rows(void **state)
{
	struct depth_rows r;
	struct depth_row row;

	(void)state;
	depth_rows_init(&r, 0, 10, 2);
	assert_int_equal(depth_rows_next(&r, 5, 29, &row), 0);
	assert_int_equal(depth_rows_next(&r, 5, 30, &row), 1);
	assert_int_equal(row.to, 10);
	assert_false(row.exact);
	assert_int_equal(depth_rows_next(&r, 5, 39, &row), 0);
	assert_int_equal(depth_rows_next(&r, 20, 39, &row), 1);
	assert_int_equal(row.to, 20);
	assert_true(row.exact);
	depth_rows_free(&r);
}

/* one may have been under way from a moment on */
static void test_doubt(void **state)
{
	struct depth_rows r;
	struct depth_row row;

	(void)state;
	depth_rows_init(&r, 0, 10, 0);
	assert_int_equal(depth_rows_add(&r, 1, 25), 0);
	depth_rows_doubt(&r, 10);
	assert_int_equal(depth_rows_next(&r, 30, 30, &row), 1);
	assert_true(row.exact);
	assert_int_equal(depth_rows_last(&r, 30, &row), 1);
	assert_false(row.exact);
	assert_int_equal(depth_rows_last(&r, 30, &row), 1);
	assert_false(row.exact);
	depth_rows_free(&r);
}

/* and up to another, as in one of three rows */
static void test_doubt_span(void **state)
{
	struct depth_rows r;
	struct depth_row row;

	(void)state;
	depth_rows_init(&r, 0, 10, 0);
	assert_int_equal(depth_rows_add(&r, 1, 25), 0);
	depth_rows_doubt_span(&r, 10, 20);
	for (int i = 0; i < 3; i++) {
		assert_int_equal(depth_rows_last(&r, 30, &row), 1);
		assert_int_equal(row.exact, i != 1);
	}
	depth_rows_free(&r);
}

/* the end of time, and what comes without its rows having been taken */
static void test_row_limits(void **state)
{
	struct depth_rows r;
	struct depth_row row;

	(void)state;
	depth_rows_init(&r, UINT64_MAX - 15, 10, 0);
	assert_int_equal(depth_rows_add(&r, 0, UINT64_MAX), 0);
	assert_int_equal(depth_rows_last(&r, UINT64_MAX, &row), 1);
	assert_int_equal(depth_rows_last(&r, UINT64_MAX, &row), 1);
	assert_true(row.to == UINT64_MAX);
	assert_int_equal(row.busy, 5);
	assert_int_equal(depth_rows_last(&r, UINT64_MAX, &row), 0);
	depth_rows_free(&r);

	depth_rows_init(&r, 0, 10, 0);
	assert_int_equal(depth_rows_add(&r, 0, 10 * DEPTH_ROWS), 0);
	assert_int_equal(depth_rows_add(&r, 0, 10 * DEPTH_ROWS + 1), -EINVAL);
	depth_rows_free(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_live_rows),
		cmocka_unit_test(test_waiting_rows),
		cmocka_unit_test(test_doubt),
		cmocka_unit_test(test_doubt_span),
		cmocka_unit_test(test_row_limits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
