/* SPDX-License-Identifier: GPL-2.0-only */
/* How many are under way: against plain counting at every moment. */
#include "spans.h"

static void check_window(const struct plain *p, uint64_t from, uint64_t to)
{
	struct depth_row row;
	struct depth d;

	depth_init(&d, from, to);
	for (unsigned int i = 0; i < p->count; i++)
		assert_int_equal(depth_add(&d, p->spans[i].from,
					   p->spans[i].to), 0);
	assert_int_equal(depth_read(&d, TIME, &row), 0);
	assert_int_equal(row.from, from);
	assert_int_equal(row.to, to < TIME ? to : TIME);
	assert_row(p, &row);
	depth_free(&d);
}

static void test_window(void **state)
{
	struct plain p;
	uint64_t seed = 1;

	(void)state;
	for (int i = 0; i < 3000; i++) {
		uint64_t from = chance(&seed) % (TIME / 2);

		make_spans(&p, &seed, 1 + chance(&seed) % TIME);
		disorder(&p, &seed);
		check_window(&p, 0, UINT64_MAX);
		check_window(&p, from, from + chance(&seed) % TIME);
	}
}

static void test_empty(void **state)
{
	struct depth_row row;
	struct depth d;

	(void)state;
	depth_init(&d, 10, 20);
	assert_int_equal(depth_add(&d, 15, 15), 0);
	assert_int_equal(depth_add(&d, 16, 12), 0);
	assert_int_equal(depth_add(&d, 0, 10), 0);
	assert_int_equal(depth_add(&d, 20, 30), 0);
	assert_int_equal(depth_read(&d, 30, &row), 0);
	assert_true(wide_is_zero(row.integral) && !row.busy && !row.most &&
		    row.exact);
	assert_int_equal(depth_mean(&row, 100), 0);
	assert_int_equal(depth_read(&d, 5, &row), 0);
	assert_int_equal(row.to, 10);
	assert_int_equal(depth_mean(&row, 100), 0);
	depth_free(&d);
}

/* six all the time; sums beyond 64 bits */
static void test_mean(void **state)
{
	struct depth_row row;
	struct depth d;

	(void)state;
	depth_init(&d, 0, UINT64_MAX);
	for (int i = 0; i < 6; i++)
		depth_add(&d, 0, UINT64_MAX);
	assert_int_equal(depth_read(&d, UINT64_MAX, &row), 0);
	assert_int_equal(depth_mean(&row, 1000), 6000);
	assert_int_equal(row.most, 6);
	assert_true(wide_same(row.integral, wide_product(UINT64_MAX, 6)));
	assert_true(row.busy == UINT64_MAX);
	depth_free(&d);
}

/* what is reported too late to be ordered counts in the sum, and is told */
static void test_late(void **state)
{
	struct depth_row row;
	struct depth d;

	(void)state;
	depth_init(&d, 0, UINT64_MAX);
	for (uint64_t t = 10; t < 10 + 2 * (DEPTH_HELD + 10); t += 2)
		depth_add(&d, t, t + 1);
	depth_add(&d, 2, 3);
	assert_int_equal(depth_read(&d, 9999, &row), 0);
	assert_true(wide_same(row.integral, wide_of(DEPTH_HELD + 11)));
	assert_int_equal(row.busy, DEPTH_HELD + 10);
	assert_int_equal(row.most, 1);
	assert_false(row.exact);
	depth_free(&d);
}

/* a queue that only becomes longer, then shorter, again and again */
static void test_waves(void **state)
{
	enum { HIGH = 3000 };
	struct depth_row row;
	struct depth d;

	(void)state;
	depth_init(&d, 0, UINT64_MAX);
	for (uint64_t wave = 0; wave < 5; wave++)
		for (uint64_t i = 1; i <= HIGH; i++)
			depth_add(&d, (3 * wave + 1) * HIGH - i,
				  (3 * wave + 1) * HIGH + i);
	assert_int_equal(depth_read(&d, 15 * HIGH, &row), 0);
	assert_int_equal(row.most, HIGH);
	assert_int_equal(row.busy, 5 * 2 * HIGH);
	assert_true(wide_same(row.integral,
			      wide_product(5 * HIGH, HIGH + 1)));
	assert_true(row.exact);
	depth_free(&d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_window),
		cmocka_unit_test(test_empty),
		cmocka_unit_test(test_mean),
		cmocka_unit_test(test_late),
		cmocka_unit_test(test_waves),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
