/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Work that threads do beside whoever has it.  They take tasks in the order in
 * which these came; one that no thread has taken is run by whoever waits for it.
 * So with or without threads the same is done: they only make it sooner.
 *
 * There is one thread less than the CPUs that we may run on, at most
 * TASKS_THREADS.  They begin with the first task; it is run at once where none
 * can be had.
 */
#ifndef BASE_TASKS_H
#define BASE_TASKS_H

struct tasks;

enum {
	TASKS_THREADS = 4,
	TASKS_PLACES = TASKS_THREADS + 1,
};

/* all zero is one that nobody has added; it stays where it is until it has run
 * or was dropped */
struct task {
	/* place: the thread's, from 1 on; 0: the caller of tasks_add() or
	 * tasks_wait() runs it */
	void (*run)(struct task *t, unsigned int place);
	struct task *next, *before;	/* of those that wait to be taken */
	int state;			/* enum task_state in tasks.c */
};

/* NULL: out of memory */
struct tasks *tasks_new(void);

/* All tasks have run, or were dropped.  Waits for the threads; NULL is fine. */
void tasks_free(struct tasks *ts);

/* one whose run is set, and which is not with any tasks */
void tasks_add(struct tasks *ts, struct task *t);

/* Returns when t, which was added, has run. */
void tasks_wait(struct tasks *ts, struct task *t);

/* The same, but what no thread has taken is not run any more. */
void tasks_drop(struct tasks *ts, struct task *t);

#endif
