/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What cgroups are called while a capture runs: all that are there when it
 * begins, and each that is made later, as soon as the kernel reports its
 * directory.  Names of those that are gone stay.
 *
 * Records have ids only, and nothing is looked up when one comes: a thread
 * waits for new directories, and sleeps as long as there are none.
 */
#ifndef CAPTURE_CGROUP_NAMES_H
#define CAPTURE_CGROUP_NAMES_H

#include <stddef.h>
#include <stdint.h>

struct cgroup_names;
struct cgroup_tree;		/* capture/cgroup_tree.h */
struct json;			/* base/json.h */

enum {
	CGROUP_NAMES = 65536,	/* that are kept */
	/* those of a card, which has 4,096 values and 1 MiB at most, and other
	 * things in it */
	CGROUP_NAMES_WRITTEN = 1024,
	CGROUP_BYTES_WRITTEN = 200 << 10,
};

/*
 * Looks at the tree, and follows it; t is taken over, whatever comes of it.
 * Where the kernel cannot be waited for only what is there now has a name.
 * 0 and *n, or -ENOMEM.
 */
int cgroup_names_start(struct cgroup_names **n, struct cgroup_tree *t);

/* All of these from any thread; n may be NULL, which knows none. */

/* the path of an id, good as long as n; NULL: it is not known */
const char *cgroup_names_get(struct cgroup_names *n, uint64_t id);

/* the name that was learnt as the i-th, from 0; NULL: it is not there yet */
const char *cgroup_names_at(struct cgroup_names *n, size_t i, uint64_t *id);

/* what is known by now as an object "cgroups" of paths by their ids: the latest
 * CGROUP_NAMES_WRITTEN; to a buffer of twice CGROUP_BYTES_WRITTEN that is not
 * flushed */
void cgroup_names_write(struct cgroup_names *n, struct json *j);

void cgroup_names_free(struct cgroup_names *n);

#endif
