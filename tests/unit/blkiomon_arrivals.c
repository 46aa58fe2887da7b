/* SPDX-License-Identifier: GPL-2.0-only */
/* Which issues and completions blkiomon lets go, when, and in which order. */
#include "make.h"
#include "run/reorder.h"
#include "tools/blkiomon/arrivals.h"
#include "tools/blkiomon/pairs.h"

enum { FILE_INPUT = false, LIVE = true };

/* number is the record's, which is what comes back */
static void add(struct arrivals *a, uint64_t number, uint32_t cpu,
		uint64_t time)
{
	assert_non_null(arrivals_add(a, time, number, cpu));
}

/* those with these numbers go now, and no other */
static void check_next(struct arrivals *a, const uint64_t *numbers,
		       size_t count)
{
	const struct seen *s;

	for (size_t i = 0; i < count; i++) {
		s = arrivals_next(a);
		assert_non_null(s);
		assert_int_equal(s->order, numbers[i]);
	}
	assert_null(arrivals_next(a));
}

#define CHECK_NEXT(a, ...) check_next(a, (const uint64_t[]){ __VA_ARGS__ }, \
	sizeof((const uint64_t[]){ __VA_ARGS__ }) / sizeof(uint64_t))

/* CPUs one after the other, each in order but for one event */
static void test_blocks(void **state)
{
	struct arrivals *a = arrivals_new(FILE_INPUT, false);

	(void)state;
	add(a, 1, 0, 10);
	add(a, 2, 0, 30);
	add(a, 3, 1, 5);
	add(a, 4, 1, 20);
	add(a, 5, 1, 15);
	add(a, 6, 2, 12);
	add(a, 7, 0, 40);
	check_next(a, NULL, 0);
	arrivals_flush(a);
	CHECK_NEXT(a, 3, 1, 6, 5, 4, 2, 7);
	assert_int_equal(arrivals_late(a), 0);
	arrivals_free(a);
}

/* of one time those go first that came first */
static void test_ties(void **state)
{
	struct arrivals *a = arrivals_new(FILE_INPUT, false);

	(void)state;
	add(a, 1, 0, 10);
	add(a, 2, 0, 20);
	add(a, 3, 1, 10);
	add(a, 4, 2, 10);
	add(a, 5, 0, 20);
	arrivals_flush(a);
	CHECK_NEXT(a, 1, 3, 4, 2, 5);
	arrivals_free(a);
}

/* live, an event goes when one that is as much later has come, and a tick */
static void test_hold(void **state)
{
	struct arrivals *a = arrivals_new(LIVE, false);

	(void)state;
	add(a, 1, 0, 10);
	add(a, 2, 0, 9 + REORDER_HOLD);
	add(a, 3, 1, 9);
	arrivals_tick(a);
	check_next(a, NULL, 0);
	arrivals_tick(a);
	CHECK_NEXT(a, 3);
	add(a, 4, 0, 10 + REORDER_HOLD);
	CHECK_NEXT(a, 1);
	/* after a silence all go, what comes then is held again */
	arrivals_flush(a);
	CHECK_NEXT(a, 2, 4);
	add(a, 5, 0, 11 + REORDER_HOLD);
	check_next(a, NULL, 0);
	arrivals_free(a);
}

/* minutes of trace time that come in an instant are held as a whole */
static void test_instant(void **state)
{
	struct arrivals *a = arrivals_new(LIVE, false);

	(void)state;
	add(a, 1, 0, 0);
	add(a, 2, 0, 100ull * REORDER_HOLD);
	add(a, 3, 1, 1);
	check_next(a, NULL, 0);
	arrivals_tick(a);
	add(a, 4, 1, 50ull * REORDER_HOLD);
	arrivals_flush(a);
	CHECK_NEXT(a, 1, 3, 4, 2);
	assert_int_equal(arrivals_late(a), 0);
	arrivals_free(a);
}

/* what is late goes at once, and is counted */
static void test_late(void **state)
{
	struct arrivals *a = arrivals_new(LIVE, false);

	(void)state;
	add(a, 1, 0, 100);
	arrivals_flush(a);
	CHECK_NEXT(a, 1);
	add(a, 2, 1, 99);
	add(a, 3, 1, 101);
	CHECK_NEXT(a, 2);
	assert_int_equal(arrivals_late(a), 1);
	arrivals_free(a);
}

/* in front of a file, too, there is a bound; and times may be any */
static void test_bound(void **state)
{
	struct arrivals *a = arrivals_new(FILE_INPUT, false);
	const struct seen *s;

	(void)state;
	add(a, 0, 0, UINT64_MAX);
	for (uint64_t i = 1; i < REORDER_EVENTS; i++)
		add(a, i, 0, REORDER_EVENTS - i);
	assert_null(arrivals_next(a));
	add(a, REORDER_EVENTS, 1, 0);
	CHECK_NEXT(a, REORDER_EVENTS);
	arrivals_flush(a);
	for (uint64_t i = REORDER_EVENTS; i-- > 0;) {
		s = arrivals_next(a);
		assert_non_null(s);
		assert_int_equal(s->order, i);
	}
	assert_null(arrivals_next(a));
	arrivals_free(a);
}

/* whatever comes, it comes out in order and all of it */
static void test_sorts(void **state)
{
	enum { COUNT = 20000 };
	struct arrivals *a = arrivals_new(FILE_INPUT, false);
	const struct seen *s;
	uint64_t seed = 5, time = 0, order = 0, sum = 0;

	(void)state;
	for (uint64_t i = 0; i < COUNT; i++)
		add(a, i, chance(&seed) % 600, i / 2 + chance(&seed) % 50);
	arrivals_flush(a);
	for (int i = 0; i < COUNT; i++) {
		s = arrivals_next(a);
		assert_non_null(s);
		assert_true(!i || s->time > time ||
			    (s->time == time && s->order > order));
		time = s->time;
		order = s->order;
		sum += order;
	}
	assert_null(arrivals_next(a));
	assert_int_equal(sum, (uint64_t)COUNT * (COUNT - 1) / 2);
	arrivals_free(a);
}

/* numbers are compared as they are, although half of each is kept */
static void test_numbers(void **state)
{
	struct arrivals *a = arrivals_new(FILE_INPUT, false);

	(void)state;
	add(a, UINT32_MAX - 1, 0, 10);
	add(a, UINT32_MAX, 0, 20);
	add(a, UINT32_MAX + 1ull, 1, 10);
	add(a, UINT32_MAX + 2ull, 2, 10);
	arrivals_flush(a);
	CHECK_NEXT(a, UINT32_MAX - 1, 0, 1, UINT32_MAX);
	arrivals_free(a);
}

/* with -D all of an event comes back, wherever it was held */
static void test_whole(void **state)
{
	enum { COUNT = 1000 };
	struct arrivals *a = arrivals_new(FILE_INPUT, true);
	const struct seen *s;
	uint64_t seed = 7, sum = 0;

	(void)state;
	for (uint64_t i = 0; i < COUNT; i++) {
		uint64_t time = i / 2 + chance(&seed) % 50;
		struct seen_whole *w = (struct seen_whole *)
			arrivals_add(a, time, i, chance(&seed) % 3);

		assert_non_null(w);
		w->ev = EVENT(.time = time, .sequence = (uint32_t)i);
		w->order = i;
	}
	arrivals_flush(a);
	while ((s = arrivals_next(a))) {
		const struct seen_whole *w = (const struct seen_whole *)s;

		assert_int_equal(w->ev.time, s->time);
		assert_int_equal(w->ev.sequence, s->order);
		assert_int_equal(w->order, s->order);
		sum += w->order;
	}
	assert_int_equal(sum, COUNT * (COUNT - 1) / 2);
	arrivals_free(a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_blocks), cmocka_unit_test(test_ties),
		cmocka_unit_test(test_hold), cmocka_unit_test(test_instant),
		cmocka_unit_test(test_late),
		cmocka_unit_test(test_bound), cmocka_unit_test(test_sorts),
		cmocka_unit_test(test_numbers), cmocka_unit_test(test_whole),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
