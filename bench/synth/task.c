/* SPDX-License-Identifier: GPL-2.0-only */
/* Tasks, and the programs they run; see task.h. */
#include <stddef.h>
#include <stdio.h>

#include "bench/synth/dice.h"
#include "bench/synth/task.h"

/* 64 GiB, so that sectors have realistic widths */
enum { DEVICE_PAGES = 1 << 24 };

/* A kind of program: how it reads and writes. */
struct program {
	const char *comm;
	unsigned reads;		/* percent of requests */
	unsigned sequential;	/* percent that go on where the last ended */
	unsigned doublings;	/* sizes are 4 KiB << 0..doublings */
	uint32_t read_flags, write_flags;
};

/* Several tasks share a program: the same name under many pids. */
static const struct program programs[] = {
	{ "fio", 60, 20, 3, 0, CAT(SYNC) },
	{ "postgres", 75, 10, 1, 0, CAT(SYNC) },
	{ "rsync", 90, 90, 6, CAT(AHEAD), 0 },
	{ "fio", 60, 20, 5, 0, CAT(SYNC) },
	{ "kworker/u16:3", 0, 70, 7, 0, 0 },
	{ "dd", 40, 100, 7, 0, CAT(SYNC) },
	{ "jbd2/sda1-8", 0, 90, 1, 0, CAT(SYNC) | CAT(META) },
	{ "mysqld", 65, 10, 2, 0, CAT(SYNC) },
	{ "find", 100, 30, 0, CAT(META), 0 },
	{ "systemd-journal", 5, 60, 2, 0, CAT(SYNC) },
	{ "git", 90, 40, 5, CAT(AHEAD), 0 },
	{ "cc1", 100, 80, 5, CAT(AHEAD), 0 },
	{ "xfsaild/sda2", 0, 20, 3, 0, CAT(META) },
	{ "qemu-system-x86", 55, 30, 5, 0, CAT(SYNC) },
};

/* Aligned to a page, and inside the partition. */
static uint64_t random_sector(struct dice *d)
{
	return PARTITION_START +
	       (uint64_t)dice_pick(d, DEVICE_PAGES) * (PAGE / SECTOR);
}

/* Half the pids close together, as after boot, half spread out. */
void task_make_users(struct task users[TASK_USERS], struct dice *d,
		     unsigned disks)
{
	uint32_t pid = TASK_PIDS;

	for (unsigned i = 0; i < TASK_USERS; i++) {
		struct task *t = &users[i];

		pid += 1 + dice_pick(d, i < TASK_USERS / 2 ? 60 : 3000);
		t->pid = pid;
		t->program = &programs[i % (sizeof(programs) /
					    sizeof(programs[0]))];
		snprintf(t->comm, sizeof(t->comm), "%s", t->program->comm);
		t->disk = i % disks;
		t->in_partition = dice_chance(d, 20);
		t->next = random_sector(d);
	}
}

struct request task_request(const struct task *t, struct dice *d)
{
	const struct program *p = t->program;
	struct request rq = { .disk = t->disk };

	rq.bytes = PAGE << dice_pick(d, p->doublings + 1);
	rq.flags = dice_chance(d, p->reads) ? READ_OP | p->read_flags :
					      WRITE_OP | p->write_flags;
	rq.sector = dice_chance(d, p->sequential) ? t->next : random_sector(d);
	return rq;
}
