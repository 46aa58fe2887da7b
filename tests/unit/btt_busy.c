/* SPDX-License-Identifier: GPL-2.0-only */
/* When a device was busy: periods that touch are one. */
#include "make.h"
#include "tools/btt/busy.h"

static int set_up(void **state)
{
	struct busy *b = malloc(sizeof(*b));

	assert_non_null(b);
	busy_init(b, false);
	*state = b;
	return 0;
}

static int tear_down(void **state)
{
	busy_free(*state);
	free(*state);
	return 0;
}

static void check_sums(const struct busy *b, uint64_t periods, uint64_t time,
		       uint64_t end)
{
	struct busy_sums s = busy_sums(b);

	assert_int_equal(s.periods, periods);
	assert_int_equal(s.time, time);
	assert_int_equal(s.end, end);
}

static void check_period(const struct busy *b, size_t i, uint64_t start,
			 uint64_t end)
{
	assert_true(i < b->count);
	assert_int_equal(b->list[i].start, start);
	assert_int_equal(b->list[i].end, end);
}

static void test_apart_and_touching(void **state)
{
	struct busy *b = *state;

	check_sums(b, 0, 0, 0);
	busy_add(b, 10, 20);
	busy_add(b, 21, 30);
	check_sums(b, 2, 19, 30);
	busy_add(b, 30, 40);		/* one end is enough to touch */
	busy_add(b, 25, 28);		/* inside */
	check_sums(b, 2, 29, 40);
	check_period(b, 1, 21, 40);
}

/* one that comes late, before, between and over others */
static void test_out_of_order(void **state)
{
	struct busy *b = *state;

	busy_add(b, 100, 110);
	busy_add(b, 50, 60);
	busy_add(b, 70, 80);
	check_period(b, 0, 50, 60);
	check_period(b, 1, 70, 80);
	busy_add(b, 75, 100);
	check_sums(b, 2, 50, 110);
	busy_add(b, 10, 200);
	check_sums(b, 1, 190, 200);
}

/* by clocks that differ a completion may come before its issue */
static void test_reversed(void **state)
{
	struct busy *b = *state;

	busy_add(b, 20, 10);
	check_period(b, 0, 10, 20);
	busy_add(b, 15, 12);
	check_sums(b, 1, 10, 20);
}

/* the same periods in any order of coming give the same union */
static void test_any_order(void **state)
{
	enum { COUNT = 2000, LATEST = 40000 };
	static bool busy[LATEST + 64];
	struct busy *b = *state;
	uint64_t seed = 11, time = 0, periods = 0;

	for (int i = 0; i < COUNT; i++) {
		uint32_t start = chance(&seed) % LATEST;
		uint32_t end = start + chance(&seed) % 32;

		busy_add(b, start, end);
		/* moments between ticks, so that touching is seen */
		for (uint32_t t = start; t < end; t++)
			busy[t] = true;
	}
	for (size_t i = 0; i < b->count; i++) {
		assert_true(!i || b->list[i - 1].end < b->list[i].start);
		for (uint64_t t = b->list[i].start; t < b->list[i].end; t++)
			assert_true(busy[t]);
		time += b->list[i].end - b->list[i].start;
		periods++;
	}
	for (uint32_t t = 0; t < LATEST + 64; t++)
		time -= busy[t];
	assert_int_equal(time, 0);
	assert_int_equal(busy_sums(b).periods, periods);
}

/* one stuck request over hundreds of thousands of others */
static void test_stuck(void **state)
{
	enum { OTHERS = 300000 };
	struct busy *b = *state;

	for (uint64_t i = 1; i <= OTHERS; i++) {
		busy_add(b, 10 * i, 10 * i + 5);
		if (busy_is_crowded(b))
			busy_flush(b, 1);
	}
	check_sums(b, OTHERS, 5 * OTHERS, 10 * OTHERS + 5);
	busy_add(b, 1, 10 * OTHERS + 9);
	check_sums(b, 1, 10 * OTHERS + 8, 10 * OTHERS + 9);
}

/* what can no longer grow is counted and forgotten: memory is bounded */
static void test_settle(void **state)
{
	enum { PERIODS = 200000 };
	struct busy *b = *state;

	for (uint64_t i = 1; i <= PERIODS; i++) {
		busy_add(b, 10 * i, 10 * i + 5);
		if (busy_is_crowded(b))
			busy_flush(b, 10 * i - 50);
	}
	assert_true(b->size <= 4 * BUSY_KEPT);
	assert_true(b->count >= BUSY_KEPT);
	check_sums(b, PERIODS, 5 * PERIODS, 10 * PERIODS + 5);
}

/* unless all are wanted */
static void test_keep_all(void **state)
{
	struct busy *b = *state;

	busy_free(b);
	busy_init(b, true);
	for (uint64_t i = 1; i <= 3 * BUSY_KEPT; i++)
		busy_add(b, 10 * i, 10 * i + 5);
	assert_false(busy_is_crowded(b));
	check_period(b, 0, 10, 15);
}

int main(void)
{
#define TEST(t) cmocka_unit_test_setup_teardown(t, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		TEST(test_apart_and_touching), TEST(test_out_of_order),
		TEST(test_reversed), TEST(test_any_order), TEST(test_stuck),
		TEST(test_settle), TEST(test_keep_all),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
