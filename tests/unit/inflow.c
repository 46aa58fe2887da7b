/* SPDX-License-Identifier: GPL-2.0-only */
/* Tests of cache/inflow. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cache/inflow.h"

enum { COUNT = 100000 };

static uint64_t state = 1;

static uint64_t random_below(uint64_t n)
{
	state = state * 6364136223846793005u + 1442695040888963407u;
	return (state >> 33) % n;
}

static bool follows(const struct arrival *a, const struct arrival *b)
{
	return a->time != b->time ? a->time < b->time : a->id < b->id;
}

/* What is late by less than is held comes out in order, those of one time by id. */
static void in_order(void **unused)
{
	struct inflow *f = inflow_new();
	struct arrival last = { .time = 0 };
	unsigned int taken = 0;

	(void)unused;
	assert_non_null(f);
	for (unsigned int i = 0; i < COUNT; i++) {
		struct arrival one = {
			.time = i / 3 + 1000 - random_below(300),
			.id = COUNT - i, .sector = i,
		};

		if (inflow_full(f)) {
			const struct arrival *a = inflow_take(f);

			assert_true(follows(&last, a));
			last = *a;
			taken++;
		}
		inflow_add(f, &one);
	}
	for (const struct arrival *a; (a = inflow_take(f)); taken++) {
		assert_true(follows(&last, a));
		assert_int_equal(a->id, COUNT - a->sector);
		last = *a;
	}
	assert_int_equal(taken, COUNT);
	assert_null(inflow_take(f));
	inflow_free(f);
}

/* What is later than that comes as soon as it can. */
static void late(void **unused)
{
	struct inflow *f = inflow_new();

	(void)unused;
	assert_non_null(f);
	for (unsigned int i = 0; i < INFLOW_HELD; i++)
		inflow_add(f, &(struct arrival){ .time = 10 + i });
	assert_true(inflow_full(f));
	assert_int_equal(inflow_take(f)->time, 10);
	assert_false(inflow_full(f));
	inflow_add(f, &(struct arrival){ .time = 0, .id = 1 });
	assert_int_equal(inflow_take(f)->time, 0);
	assert_int_equal(inflow_take(f)->time, 11);
	inflow_free(f);
	inflow_free(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(in_order),
		cmocka_unit_test(late),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
