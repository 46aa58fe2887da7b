/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Who submits, and what it is about to do.
 */
#ifndef BENCH_SYNTH_TASK_H
#define BENCH_SYNTH_TASK_H

#include <stdbool.h>
#include <stdint.h>

#include "bench/synth/request.h"

struct dice;			/* bench/synth/dice.h */
struct program;

enum {
	TASK_USERS = 32,	/* that submit; kworkers come on top */
	TASK_COMM = 16,
	/* the users' pids; those of the first kworkers are below */
	TASK_PIDS = 300,
};

struct task {
	uint32_t pid;
	char comm[TASK_COMM];
	bool noted;		/* its process note is written */
	bool in_partition;	/* its requests are remapped first */
	const struct program *program;	/* NULL: never submits by itself */
	unsigned disk;
	uint64_t next;		/* sector a sequential request would start at */
};

/* makes all users, on so many disks */
void task_make_users(struct task users[TASK_USERS], struct dice *d,
		     unsigned disks);

/* what the task's kind of program would do next */
struct request task_request(const struct task *t, struct dice *d);

#endif
