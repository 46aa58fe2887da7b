/* SPDX-License-Identifier: GPL-2.0-only */
/* Work that threads do: each task once, in any order, and not after its end. */
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>

#include "base/tasks.h"
#include "make.h"

enum { MANY = 500 };

struct job {
	struct task task;
	struct deck *deck;
	unsigned int number, runs, place;
	bool masked;		/* it got no signals */
};

struct deck {
	struct tasks *tasks;
	atomic_uint ran;
	unsigned int order[MANY + 1];	/* numbers of jobs as they began */
	atomic_bool held;	/* tasks stay where they are until it is not */
	atomic_uint busy[TASKS_PLACES];	/* jobs there */
	atomic_bool crowded;	/* two at once */
	struct job jobs[MANY];
};

static void pause_shortly(void)
{
	nanosleep(&(struct timespec){ .tv_nsec = 100000 }, NULL);
}

static void do_job(struct task *t, unsigned int place)
{
	struct job *j = (struct job *)t;
	sigset_t blocked;

	if (atomic_fetch_add(&j->deck->busy[place], 1))
		atomic_store(&j->deck->crowded, true);
	j->deck->order[atomic_fetch_add(&j->deck->ran, 1)] = j->number;
	while (atomic_load(&j->deck->held))
		pause_shortly();
	pthread_sigmask(SIG_SETMASK, NULL, &blocked);
	j->masked = sigismember(&blocked, SIGTERM);
	j->place = place;
	j->runs++;
	atomic_fetch_sub(&j->deck->busy[place], 1);
}

static int begin(void **state)
{
	struct deck *d = calloc(1, sizeof(*d));

	assert_non_null(d);
	d->tasks = tasks_new();
	assert_non_null(d->tasks);
	for (unsigned int i = 0; i < MANY; i++)
		d->jobs[i] = (struct job){ .task = { .run = do_job },
					   .deck = d, .number = i };
	*state = d;
	return 0;
}

static int end(void **state)
{
	struct deck *d = *state;

	tasks_free(d->tasks);
	free(d);
	return 0;
}

static void add(struct deck *d, unsigned int from, unsigned int to)
{
	for (unsigned int i = from; i < to; i++)
		tasks_add(d->tasks, &d->jobs[i].task);
}

/* each has run once when it was waited for, whoever ran it */
static void test_each_once(void **state)
{
	struct deck *d = *state;

	add(d, 0, MANY);
	for (unsigned int i = MANY; i--;) {
		tasks_wait(d->tasks, &d->jobs[i].task);
		assert_int_equal(d->jobs[i].runs, 1);
		assert_in_range(d->jobs[i].place, 0, TASKS_THREADS);
		/* a thread gets no signals; we do */
		assert_int_equal(d->jobs[i].masked, d->jobs[i].place > 0);
	}
	assert_false(atomic_load(&d->crowded));
	/* and may run again */
	add(d, 0, 1);
	tasks_wait(d->tasks, &d->jobs[0].task);
	tasks_wait(d->tasks, &d->jobs[0].task);
	assert_int_equal(d->jobs[0].runs, 2);
}

static unsigned int cpus(void)
{
	cpu_set_t set;

	assert_int_equal(sched_getaffinity(0, sizeof(set), &set), 0);
	return (unsigned int)CPU_COUNT(&set);
}

/* how many threads have a task, when more there are than they can take */
static unsigned int taken(struct deck *d)
{
	unsigned int most = cpus() - 1;

	most = most < TASKS_THREADS ? most : TASKS_THREADS;
	while (atomic_load(&d->ran) < most)
		pause_shortly();
	return most;
}

/* threads take them in order; what none has taken is run by whoever
 * waits, or dropped */
static void test_left_over(void **state)
{
	struct deck *d = *state;
	unsigned int most;

	if (cpus() < 2)
		skip();
	atomic_store(&d->held, true);
	add(d, 0, 20);
	most = taken(d);
	for (unsigned int i = 10; i < 20; i++)
		tasks_drop(d->tasks, &d->jobs[i].task);
	assert_int_equal(atomic_load(&d->ran), most);
	atomic_store(&d->held, false);
	for (unsigned int i = 10; i--;)
		tasks_wait(d->tasks, &d->jobs[i].task);
	assert_int_equal(atomic_load(&d->ran), 10);
	for (unsigned int i = 0; i < 20; i++)
		assert_int_equal(d->jobs[i].runs, i < 10);
	for (unsigned int i = 0; i < most; i++)
		assert_in_range(d->order[i], 0, most - 1);
	assert_false(atomic_load(&d->crowded));
}

/* what a thread is at has ended when it was dropped */
static void test_given_up(void **state)
{
	struct deck *d = *state;

	for (unsigned int i = 0; i < MANY; i++) {
		struct job *j = &d->jobs[i];

		tasks_add(d->tasks, &j->task);
		if (i % 2)
			sched_yield();
		tasks_drop(d->tasks, &j->task);
		assert_in_range(j->runs, 0, 1);
		memset(j, 0, sizeof(*j));
	}
	assert_false(atomic_load(&d->crowded));
}

/* with one CPU there is no thread: a task has run when it was added */
static void test_one_cpu(void **state)
{
	struct deck *d = *state;
	cpu_set_t all, one;

	assert_int_equal(sched_getaffinity(0, sizeof(all), &all), 0);
	CPU_ZERO(&one);
	for (int i = 0; !CPU_COUNT(&one); i++)
		if (CPU_ISSET(i, &all))
			CPU_SET(i, &one);
	assert_int_equal(sched_setaffinity(0, sizeof(one), &one), 0);
	for (unsigned int i = 0; i < MANY; i++) {
		add(d, i, i + 1);
		assert_int_equal(d->jobs[i].runs, 1);
		assert_int_equal(d->jobs[i].place, 0);
		assert_int_equal(d->order[i], i);
	}
	tasks_drop(d->tasks, &d->jobs[0].task);
	assert_int_equal(sched_setaffinity(0, sizeof(all), &all), 0);
}

/* tasks that were never used, and none at all */
static void test_unused(void **state)
{
	(void)state;
	tasks_free(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_each_once, begin, end),
		cmocka_unit_test_setup_teardown(test_left_over, begin, end),
		cmocka_unit_test_setup_teardown(test_given_up, begin, end),
		cmocka_unit_test_setup_teardown(test_one_cpu, begin, end),
		cmocka_unit_test_setup_teardown(test_unused, begin, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
