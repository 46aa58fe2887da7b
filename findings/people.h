/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Who uses a device: its processes, by pid for what each did last, and by name
 * for who did most.
 *
 * The first 1,023 pids of a device are told apart; those that come later count
 * as one, which has no name and continues nothing.
 */
#ifndef FINDINGS_PEOPLE_H
#define FINDINGS_PEOPLE_H

#include <stdbool.h>

#include "base/hash.h"
#include "findings/facts.h"

enum {
	PEOPLE_MAX = 1024,
	PEOPLE_OTHERS = 0,
	PEOPLE_NEAR = 64,	/* found without the hash */
};

/* what requests are counted for, by who queued them */
enum people_what {
	PEOPLE_ALL,
	PEOPLE_ERRORS,
	PEOPLE_FLUSHES,
	PEOPLE_PLUGGED,
	PEOPLE_LARGE_WRITES,
	PEOPLE_PARTS,
	PEOPLE_MISALIGNED,
	PEOPLE_SEQUENTIAL_READS,
	PEOPLE_SEQUENTIAL_WRITES,
	PEOPLE_WHATS
};

struct person {
	uint32_t pid;
	uint32_t first;		/* the first person of the same name */
	bool kworker;		/* it writes what others put into the cache */
	uint64_t next[2];	/* the sector behind its last read, write */
	/* of all of the same name, kept by the first */
	uint64_t bytes;
	uint64_t held;		/* ns that its requests were in the device */
	uint32_t counts[PEOPLE_WHATS];
};

struct people {
	struct person *list;	/* the first is for all others */
	uint32_t count;
	size_t size;
	struct hash by_pid, by_name;	/* to numbers in it */
	uint16_t near[PEOPLE_NEAR];	/* by pid: whom it was last, or 0 */
	findings_name *name;	/* or NULL; the caller sets these three */
	const void *names;
	uint16_t origin;
};

/* an all-zero struct people is an empty table */
void people_free(struct people *p);

/* the slow path of people_find() */
int people_look_up(struct people *p, uint32_t pid);

/* the number of a pid's person, or -ENOMEM */
static inline int people_find(struct people *p, uint32_t pid)
{
	uint16_t near = p->near[pid % PEOPLE_NEAR];

	return near && p->list[near].pid == pid ? near
						: people_look_up(p, pid);
}

/* person has done one more of these */
void people_count(struct people *p, uint32_t person, enum people_what what);

/* the first of the same name */
static inline uint32_t people_first(const struct people *p, uint32_t person)
{
	return p->list[person].first;
}

/* Whose requests were in the device longest, taken together: its pid, or
 * FINDING_NONE; *share is its part of all, in thousandths. */
uint64_t people_holder(const struct people *p, uint64_t *share);

/* Who did most of it, and who came next: their pids, or FINDING_NONE. */
void people_most(const struct people *p, enum people_what what,
		 uint64_t *pid, uint64_t *pid2);

#endif
