/* SPDX-License-Identifier: GPL-2.0-only */
/* A thread pool; see tasks.h. */
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/tasks.h"
#include "base/thread.h"

enum task_state { TASK_OVER, TASK_WAITS, TASK_RUNS };

struct seat {			/* a thread and its argument */
	struct tasks *all;
	unsigned int place;
	pthread_t thread;
};

/* The lock guards all below it, and tasks except run. */
struct tasks {
	pthread_mutex_t lock;
	pthread_cond_t work;	/* for the threads */
	pthread_cond_t over;	/* a task has run */
	struct seat seats[TASKS_THREADS];
	unsigned int count;	/* of threads */
	bool began;		/* starting threads was tried */
	bool stop;
	struct task *first, *last;	/* the queue */
};

struct tasks *tasks_new(void)
{
	struct tasks *ts = calloc(1, sizeof(*ts));

	if (!ts)
		return NULL;
	pthread_mutex_init(&ts->lock, NULL);
	pthread_cond_init(&ts->work, NULL);
	pthread_cond_init(&ts->over, NULL);
	return ts;
}

/* --- the queue, with the lock held ---------------------------------------- */

static void append(struct tasks *ts, struct task *t)
{
	t->next = NULL;
	t->before = ts->last;
	if (ts->last)
		ts->last->next = t;
	else
		ts->first = t;
	ts->last = t;
	t->state = TASK_WAITS;
}

static void take(struct tasks *ts, struct task *t)
{
	if (t->before)
		t->before->next = t->next;
	else
		ts->first = t->next;
	if (t->next)
		t->next->before = t->before;
	else
		ts->last = t->before;
	t->next = t->before = NULL;
}

/* --- threads, which hold the lock except while a task runs ---------------- */

static void run(struct tasks *ts, struct task *t, unsigned int place)
{
	take(ts, t);
	t->state = TASK_RUNS;
	pthread_mutex_unlock(&ts->lock);
	t->run(t, place);
	pthread_mutex_lock(&ts->lock);
	t->state = TASK_OVER;
	pthread_cond_broadcast(&ts->over);
}

static void *work(void *arg)
{
	const struct seat *seat = arg;
	struct tasks *ts = seat->all;

	pthread_mutex_lock(&ts->lock);
	while (!ts->stop)
		if (ts->first)
			run(ts, ts->first, seat->place);
		else
			pthread_cond_wait(&ts->work, &ts->lock);
	pthread_mutex_unlock(&ts->lock);
	return NULL;
}

static void begin_threads(struct tasks *ts)
{
	unsigned int wanted = thread_spare_cpus(TASKS_THREADS);

	ts->began = true;
	for (; ts->count < wanted; ts->count++) {
		struct seat *seat = &ts->seats[ts->count];

		*seat = (struct seat){ .all = ts, .place = ts->count + 1 };
		if (thread_start(&seat->thread, work, seat))
			return;
	}
}

void tasks_free(struct tasks *ts)
{
	if (!ts)
		return;
	pthread_mutex_lock(&ts->lock);
	ts->stop = true;
	pthread_cond_broadcast(&ts->work);
	pthread_mutex_unlock(&ts->lock);
	for (unsigned int i = 0; i < ts->count; i++)
		pthread_join(ts->seats[i].thread, NULL);
	pthread_cond_destroy(&ts->over);
	pthread_cond_destroy(&ts->work);
	pthread_mutex_destroy(&ts->lock);
	free(ts);
}

/* --- callers -------------------------------------------------------------- */

void tasks_add(struct tasks *ts, struct task *t)
{
	pthread_mutex_lock(&ts->lock);
	if (!ts->began)
		begin_threads(ts);
	append(ts, t);
	if (ts->count)
		pthread_cond_signal(&ts->work);
	else
		run(ts, t, 0);
	pthread_mutex_unlock(&ts->lock);
}

/* with the lock held */
static void wait_until_over(struct tasks *ts, const struct task *t)
{
	while (t->state == TASK_RUNS)
		pthread_cond_wait(&ts->over, &ts->lock);
}

void tasks_wait(struct tasks *ts, struct task *t)
{
	pthread_mutex_lock(&ts->lock);
	if (t->state == TASK_WAITS)
		run(ts, t, 0);
	wait_until_over(ts, t);
	pthread_mutex_unlock(&ts->lock);
}

void tasks_drop(struct tasks *ts, struct task *t)
{
	pthread_mutex_lock(&ts->lock);
	if (t->state == TASK_WAITS) {
		take(ts, t);
		t->state = TASK_OVER;
	}
	wait_until_over(ts, t);
	pthread_mutex_unlock(&ts->lock);
}
