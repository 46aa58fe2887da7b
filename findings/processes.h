/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The processes that use a device: by pid for the last I/O of each, and by name
 * for their counts.
 *
 * The first 1,023 pids of a device are told apart; later ones count as one,
 * without a name and without sequential I/O.
 */
#ifndef FINDINGS_PROCESSES_H
#define FINDINGS_PROCESSES_H

#include <stdbool.h>

#include "base/hash.h"
#include "findings/finding.h"

enum {
	PROCESSES_MAX = 1024,
	PROCESSES_OTHERS = 0,
	PROCESSES_NEAR = 64,	/* found without the hash */
};

/* what requests are counted for, by the process that queued them */
enum processes_what {
	PROCESSES_ALL,
	PROCESSES_ERRORS,
	PROCESSES_FLUSHES,
	PROCESSES_PLUGGED,
	PROCESSES_LARGE_WRITES,
	PROCESSES_PARTS,
	PROCESSES_MISALIGNED,
	PROCESSES_SEQUENTIAL_READS,
	PROCESSES_SEQUENTIAL_WRITES,
	PROCESSES_WHATS
};

struct process {
	uint32_t pid;
	uint32_t first;		/* the first process of the same name */
	bool kworker;		/* it writes dirty pages of others */
	uint64_t next[2];	/* the sector after its last read, write */
	/* of all of the same name, kept by the first */
	uint64_t bytes;
	uint64_t held;		/* ns that its requests were in the device */
	uint32_t counts[PROCESSES_WHATS];
};

struct processes {
	struct process *list;	/* the first is for all others */
	uint32_t count;
	size_t size;
	struct hash by_pid, by_name;	/* to numbers in it */
	uint16_t near[PROCESSES_NEAR];	/* by pid: the last one found, or 0 */
	findings_name *name;	/* or NULL; the caller sets these three */
	const void *names;
	uint16_t origin;
};

/* an all-zero struct processes is an empty table */
void processes_clear(struct processes *p);

/* the slow path of processes_find() */
int processes_look_up(struct processes *p, uint32_t pid);

/* the number of a pid's process, or -ENOMEM */
static inline int processes_find(struct processes *p, uint32_t pid)
{
	uint16_t near = p->near[pid % PROCESSES_NEAR];

	return near && p->list[near].pid == pid ? near
						: processes_look_up(p, pid);
}

/* process has done one more of these */
void processes_count(struct processes *p, uint32_t process,
		     enum processes_what what);

/* the first of the same name */
static inline uint32_t processes_first(const struct processes *p,
				       uint32_t process)
{
	return p->list[process].first;
}

/* The pid whose requests were longest in the device in total, or FINDING_NONE;
 * *share is their part of all, in thousandths. */
uint64_t processes_holder(const struct processes *p, uint64_t *share);

/* The pids with most of it and next to most, or FINDING_NONE. */
void processes_most(const struct processes *p, enum processes_what what,
		    uint64_t *pid, uint64_t *pid2);

#endif
