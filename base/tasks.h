/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A thread pool.  Threads take tasks in the order of tasks_add(); a task not
 * taken yet is run by tasks_wait().  Without threads, tasks_add() runs it.
 *
 * There is one thread less than the process has CPUs, at most TASKS_THREADS,
 * started with the first task.
 */
#ifndef BASE_TASKS_H
#define BASE_TASKS_H

struct tasks;

enum {
	TASKS_THREADS = 4,
	TASKS_PLACES = TASKS_THREADS + 1,
};

/* all zeros but run before tasks_add(); must not move until tasks_wait() or
 * tasks_drop() */
struct task {
	/* place: the thread's, from 1; 0: in tasks_add() or tasks_wait() */
	void (*run)(struct task *t, unsigned int place);
	struct task *next, *before;	/* in the queue */
	int state;			/* enum task_state in tasks.c */
};

/* NULL: out of memory */
struct tasks *tasks_new(void);

/* Wait for or drop all tasks before.  Joins the threads; NULL is fine. */
void tasks_free(struct tasks *ts);

void tasks_add(struct tasks *ts, struct task *t);

/* Returns when t has run. */
void tasks_wait(struct tasks *ts, struct task *t);

/* The same, but does not run t if no thread has taken it. */
void tasks_drop(struct tasks *ts, struct task *t);

#endif
