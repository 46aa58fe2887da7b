/* SPDX-License-Identifier: GPL-2.0-only */
/* Trace time to time of day, forth and back around the time stamp note. */
#include "make.h"
#include "record/clock.h"

enum { NSEC = 1000000000 };

/* a note at that trace time which tells sec and nsec */
static void take_note(struct clock *c, uint64_t time, uint32_t sec,
		      uint32_t nsec)
{
	uint32_t words[] = { sec, nsec };
	struct event ev = EVENT(.action = NOTE(BLK_TN_TIMESTAMP),
				.time = time);

	ev = with_payload(ev, words, sizeof(words));
	clock_note(c, &ev);
}

static void check(const struct clock *c, uint64_t time, int64_t sec,
		  uint32_t nsec)
{
	int64_t got_sec;
	uint32_t got_nsec;

	clock_wall(c, time, &got_sec, &got_nsec);
	assert_int_equal(got_sec, sec);
	assert_int_equal(got_nsec, nsec);
}

/* without a note time begins at the epoch */
static void test_unknown(void **state)
{
	struct clock c = { .genesis = 12345 };

	(void)state;
	check(&c, 0, 0, 0);
	check(&c, 5ull * NSEC + 7, 5, 7);
	assert_false(c.known);
}

/* events after the note: its wall clock and what has gone by since */
static void test_after(void **state)
{
	struct clock c = { .genesis = 3 * (uint64_t)NSEC };

	(void)state;
	take_note(&c, 1 * (uint64_t)NSEC, 1700000000, 999999999);
	assert_true(c.known);
	check(&c, 0, 1700000002, 999999999);
	check(&c, 1, 1700000003, 0);
	check(&c, 10ull * NSEC, 1700000012, 999999999);
}

/* events before the note lie before its wall clock */
static void test_before(void **state)
{
	struct clock c = { .genesis = 1 * (uint64_t)NSEC };

	(void)state;
	take_note(&c, 3 * (uint64_t)NSEC + 2, 1700000000, 1);
	check(&c, 0, 1699999997, 999999999);
	check(&c, 1, 1699999998, 0);
	check(&c, 2ull * NSEC + 1, 1700000000, 0);
	check(&c, 2ull * NSEC + 2, 1700000000, 1);
}

/* so far before it that the day is before 1970: seconds go below zero */
static void test_negative(void **state)
{
	struct clock c = { .genesis = 0 };

	(void)state;
	take_note(&c, 10 * (uint64_t)NSEC, 3, 0);
	check(&c, 0, -7, 0);
	check(&c, 1, -7, 1);
	check(&c, NSEC - 1, -7, NSEC - 1);
}

/* a later note replaces an earlier one, and a broken one does not */
static void test_last_note(void **state)
{
	struct clock c = { .genesis = 0 };
	struct event broken = EVENT(.action = NOTE(BLK_TN_TIMESTAMP));

	(void)state;
	take_note(&c, 0, 100, 0);
	take_note(&c, 5, 200, 0);
	broken = with_payload(broken, "1234567", 7);
	clock_note(&c, &broken);
	check(&c, 5, 200, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_unknown),
		cmocka_unit_test(test_after),
		cmocka_unit_test(test_before),
		cmocka_unit_test(test_negative),
		cmocka_unit_test(test_last_note),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
