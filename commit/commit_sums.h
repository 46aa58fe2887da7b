/* SPDX-License-Identifier: GPL-2.0-only */
/* Calls that waited for the disk, added up by file and by process. */
#ifndef COMMIT_COMMIT_SUMS_H
#define COMMIT_COMMIT_SUMS_H

#include <stdint.h>

#include "base/hash.h"
#include "base/histogram.h"
#include "commit/commit.h"

enum {
	COMMIT_ROWS = 1024,	/* of each list; the last has all others */
	COMMIT_SLOWEST = 5
};

/* an all-zero one is empty */
struct commit_sum {
	char *name;
	uint64_t count, unsure;
	uint64_t time;		/* ns, the sum of the parts */
	uint64_t parts[COMMIT_PARTS];
	struct histogram durations;	/* ns */
};

struct commit_list {
	struct commit_sum rows[COMMIT_ROWS];
	unsigned int count;
	struct hash by_name;	/* numbers of rows */
};

/* as long as it lasts, unlike what it is made of */
struct slow_commit {
	struct commit is;
	char *file, *process, *other;	/* names; other may be NULL */
};

struct commit_sums {
	struct commit_sum all;
	struct commit_list files, processes;
	struct slow_commit slowest[COMMIT_SLOWEST];	/* the slowest first */
	unsigned int slow_count;
};

struct commit_names {
	const char *file, *process;
	const char *other;	/* the process of commit.other, or NULL */
};

/* an all-zero one is empty */
void commit_sums_free(struct commit_sums *s);

/* 0 or -ENOMEM */
int commit_sums_add(struct commit_sums *s, const struct commit *c,
		    const struct commit_names *names);

/* sorts rows by their time, most first; nothing can be added any more */
void commit_sums_sort(struct commit_sums *s);

#endif
