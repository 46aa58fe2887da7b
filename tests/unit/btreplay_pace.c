/* SPDX-License-Identifier: GPL-2.0-only */
/* Waiting for a moment: what is learnt, and that nothing is ever early. */
#include <pthread.h>

#include "make.h"
#include "tools/btreplay/pace.h"

enum { US = 1000, MS = 1000000 };

/* sleeps that wake 20 us late: the lead settles a little above that */
static void test_settles(void **state)
{
	struct pace p;

	(void)state;
	pace_init(&p, 100 * US);
	for (int i = 0; i < 2000; i++)
		pace_add_sleep(&p, 1 * MS, 1 * MS + 20 * US);
	assert_in_range(p.lead, 19 * US, 22 * US);
	for (int i = 0; i < 2000; i++)
		pace_add_sleep(&p, 1 * MS, 1 * MS + 50 * US);
	assert_in_range(p.lead, 49 * US, 52 * US);
}

/* however late sleeps wake, it does not spin longer than it may */
static void test_bounded(void **state)
{
	struct pace p;

	(void)state;
	pace_init(&p, 30 * US);
	for (int i = 0; i < 1000; i++)
		pace_add_sleep(&p, 1 * MS, 1 * MS + 90 * US);
	assert_int_equal(p.lead, 30 * US);
}

/* on a busy machine it spins less, and more again when that is over */
static void test_busy(void **state)
{
	struct pace p;
	uint64_t before;

	(void)state;
	pace_init(&p, 100 * US);
	for (int i = 0; i < 3; i++)
		pace_add_sleep(&p, 1 * MS, 5 * MS);
	assert_in_range(p.bound, 10 * US, 15 * US);
	before = p.bound;
	pace_add_spin(&p, 3 * MS);
	assert_true(p.bound < before);
	for (int i = 0; i < 100; i++)
		pace_add_spin(&p, 3 * MS);
	assert_in_range(p.lead, 1, 5 * US);
	for (int i = 0; i < 3000; i++)
		pace_add_sleep(&p, 1 * MS, 1 * MS + 60 * US);
	assert_in_range(p.lead, 59 * US, 62 * US);
}

/* --spin=0: sleeps last to the end */
static void test_never_spins(void **state)
{
	struct pace p;

	(void)state;
	pace_init(&p, 0);
	for (int i = 0; i < 100; i++)
		pace_add_sleep(&p, 1 * MS, 1 * MS + 60 * US);
	pace_add_spin(&p, 3 * MS);
	assert_int_equal(p.lead, 0);
}

static void check_waits(uint64_t spin_max)
{
	atomic_bool stop = false;
	struct pace p;

	pace_init(&p, spin_max);
	for (int i = 0; i < 50; i++) {
		uint64_t due = pace_now() + (uint64_t)i * 20 * US;
		uint64_t at = pace_wait(&p, due, &stop);

		assert_true(at >= due);
		assert_true(pace_now() >= at);
	}
}

static void test_never_early(void **state)
{
	(void)state;
	check_waits(100 * US);
	check_waits(0);
}

static void *set_soon(void *arg)
{
	const struct timespec t = { .tv_nsec = 50 * MS };

	nanosleep(&t, NULL);
	atomic_store((atomic_bool *)arg, true);
	return NULL;
}

/* an hour is over within 0.1 s, and a busy machine's patience */
static void test_stop(void **state)
{
	atomic_bool stop = false;
	uint64_t begin = pace_now(), at;
	struct pace p;
	pthread_t t;

	(void)state;
	pace_init(&p, 100 * US);
	assert_int_equal(pthread_create(&t, NULL, set_soon, &stop), 0);
	at = pace_wait(&p, begin + 3600000 * (uint64_t)MS, &stop);
	pthread_join(t, NULL);
	assert_in_range(at - begin, 50 * MS, 900 * MS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_settles),
		cmocka_unit_test(test_bounded),
		cmocka_unit_test(test_busy),
		cmocka_unit_test(test_never_spins),
		cmocka_unit_test(test_never_early),
		cmocka_unit_test(test_stop),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
