/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What cgroups are called: paths by machine and id, from the cards of traces.
 *
 * Paths have numbers from 0: cgroups of one path, of which one came after the
 * other or which are on several machines, have one in common.
 */
#ifndef RUN_CGROUPS_H
#define RUN_CGROUPS_H

#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"

struct card;			/* machine/card.h */

enum {
	CGROUPS_MAX = 1 << 18,	/* names; later ones are left out */
	CGROUP_PATH = 4096,	/* bytes of a path; longer ones are, too */
};

struct cgroups {
	struct hash by_id, by_path;	/* to numbers */
	char **paths;
	int64_t *containers;	/* by path: the path's number that is all of its
				 * container's, or -1 */
	size_t count, size;
	size_t ids;
};

/* an all-zero struct cgroups is an empty table */
void cgroups_free(struct cgroups *c);

/*
 * The cgroup of that id is called path, valid UTF-8, unless it has a name
 * already; what is no absolute path is passed over.  0 or -ENOMEM.
 */
int cgroups_learn(struct cgroups *c, uint16_t origin, uint64_t id,
		  const char *path);

/* all that a card has of its machine: 0 or -ENOMEM */
int cgroups_learn_card(struct cgroups *c, uint16_t origin,
		       const struct card *card);

/* the number of a cgroup's path, or -1 */
int64_t cgroups_find(const struct cgroups *c, uint16_t origin, uint64_t id);

/* the same of a path, or -1 */
int64_t cgroups_find_path(const struct cgroups *c, const char *path);

/* a path by its number, good as long as the table; NULL: there is none */
const char *cgroups_path(const struct cgroups *c, uint64_t number);

/* the number of the path of the container that a path is of, which may be the
 * same; -1: it is of none */
int64_t cgroups_container(const struct cgroups *c, uint64_t number);

#endif
