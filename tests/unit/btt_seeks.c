/* SPDX-License-Identifier: GPL-2.0-only */
/* Seeks: distances, and what is typical of them. */
#include "make.h"
#include "tools/btt/seeks.h"

static int set_up(void **state)
{
	*state = calloc(1, sizeof(struct seeks));
	return !*state;
}

static int tear_down(void **state)
{
	seeks_free(*state);
	free(*state);
	return 0;
}

/* requests that touch the last are no seek; back is from its start */
static void test_relative(void **state)
{
	struct seeks *s = *state;

	assert_int_equal(seeks_add(s, 100, 108, false), 100);
	assert_int_equal(seeks_add(s, 108, 116, false), 0);
	assert_int_equal(seeks_add(s, 104, 108, false), 0);
	assert_int_equal(seeks_add(s, 50, 60, false), -54);
	assert_int_equal(seeks_add(s, 40, 50, false), 0);
	assert_int_equal(seeks_add(s, 30, 70, false), -10);
	assert_int_equal(s->count, 6);
	assert_true(s->sum == 164);
}

static void test_absolute(void **state)
{
	struct seeks *s = *state;

	assert_int_equal(seeks_add(s, 100, 108, true), 100);
	assert_int_equal(seeks_add(s, 108, 116, true), 0);
	assert_int_equal(seeks_add(s, 108, 116, true), -8);
	assert_int_equal(seeks_add(s, 0, 8, true), -116);
}

/* so many requests of each distance: seeks to and fro, far from the start */
static void add_times(struct seeks *s, uint64_t distance, int times)
{
	while (times--) {
		s->start = s->end = 1 << 20;
		seeks_add(s, (1 << 20) + distance, (1 << 20) + distance,
			  true);
	}
}

static void check_median(const struct seeks *s, uint64_t median)
{
	assert_int_equal(seeks_median(s), median);
}

/* no median at all, but what the original shows */
static void test_median(void **state)
{
	struct seeks *s = *state;

	add_times(s, 70, 1);
	check_median(s, 70);
	add_times(s, 20, 1);		/* half is 1: the one seen first */
	check_median(s, 70);
	add_times(s, 20, 2);
	check_median(s, 20);
	add_times(s, 90, 1);		/* the middle, the least, the largest */
	check_median(s, 20);
	add_times(s, 90, 3);
	check_median(s, 90);
	add_times(s, 30, 1);
	add_times(s, 40, 1);		/* of ten, none has been five times */
	check_median(s, 0);
	add_times(s, 30, 7);		/* of 17, one has been eight times */
	check_median(s, 30);
}

static void check_modes(const struct seeks *s, uint32_t times,
			const uint64_t *want, uint32_t count)
{
	struct modes m = seeks_modes(s);
	uint32_t mode = 0;

	assert_int_equal(m.times, times);
	assert_int_equal(m.count, count);
	for (uint32_t i = 0; i < count; i++) {
		mode = seeks_mode(s, m, mode);
		assert_int_equal(s->nodes[mode].key, want[i]);
	}
	assert_int_equal(seeks_mode(s, m, mode), 0);
}

/* listed as the tree is walked, children first */
static void test_modes(void **state)
{
	static const uint64_t first[] = { 1, 3, 2, 5, 7, 10, 9, 8, 6, 4 };
	static const uint64_t then[] = { 2, 9, 4 };
	struct seeks *s = *state;

	for (uint64_t d = 1; d <= 10; d++)
		add_times(s, d, 1);
	check_modes(s, 1, first, 10);
	add_times(s, 9, 1);
	add_times(s, 4, 1);
	add_times(s, 2, 1);
	check_modes(s, 2, then, 3);
}

/* the same in the order of the distances, and which is listed before which */
static void test_modes_in_order(void **state)
{
	struct seeks *s = *state;
	uint32_t modes[11] = { 0 };
	struct modes m;

	for (uint64_t d = 1; d <= 10; d++)
		add_times(s, d, 1);
	m = seeks_modes(s);
	for (uint64_t d = 1; d <= 10; d++) {
		modes[d] = seeks_greater_mode(s, m, modes[d - 1]);
		assert_int_equal(s->nodes[modes[d]].key, d);
	}
	assert_int_equal(seeks_greater_mode(s, m, modes[10]), 0);
	assert_true(seeks_mode_before(s, modes[3], modes[2]));
	assert_false(seeks_mode_before(s, modes[5], modes[3]));
	assert_true(seeks_mode_before(s, modes[10], modes[4]));
}

int main(void)
{
#define TEST(t) cmocka_unit_test_setup_teardown(t, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		TEST(test_relative), TEST(test_absolute), TEST(test_median),
		TEST(test_modes), TEST(test_modes_in_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
