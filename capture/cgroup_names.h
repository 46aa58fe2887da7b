/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Cgroup names during a capture: of all cgroups when it starts, and of new ones
 * once the kernel reports their directories.  Removed cgroups keep theirs.
 *
 * Records have only ids, and are looked up in memory: a thread sleeps until new
 * directories appear.
 */
#ifndef CAPTURE_CGROUP_NAMES_H
#define CAPTURE_CGROUP_NAMES_H

#include <stddef.h>
#include <stdint.h>

struct cgroup_names;
struct cgroup_tree;		/* capture/cgroup_tree.h */
struct json;			/* base/json.h */

enum {
	CGROUP_NAMES = 65536,	/* kept at most */
	/* limits in a card, which has at most 4,096 values and 1 MiB in all */
	CGROUP_NAMES_WRITTEN = 1024,
	CGROUP_BYTES_WRITTEN = 200 << 10,
};

/*
 * Reads the tree, and follows it; takes t over, even on failure.  Without
 * inotify only cgroups that exist now have names.  0 and *n, or -ENOMEM.
 */
int cgroup_names_start(struct cgroup_names **n, struct cgroup_tree *t);

/* All of these from any thread; n may be NULL, which knows none. */

/* the path of an id, valid as long as n; NULL: unknown */
const char *cgroup_names_get(struct cgroup_names *n, uint64_t id);

/* the i-th name learnt, from 0; NULL: not yet */
const char *cgroup_names_at(struct cgroup_names *n, size_t i, uint64_t *id);

/* writes an object "cgroups" of paths by id, the latest CGROUP_NAMES_WRITTEN,
 * to a buffer of twice CGROUP_BYTES_WRITTEN that is not flushed */
void cgroup_names_write(struct cgroup_names *n, struct json *j);

void cgroup_names_free(struct cgroup_names *n);

#endif
