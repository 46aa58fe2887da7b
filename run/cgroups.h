/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Paths of cgroups by machine and id, from the cards of traces.
 *
 * Each path has a number from 0, which cgroups share if they have the same path
 * on several machines or one after the other.
 */
#ifndef RUN_CGROUPS_H
#define RUN_CGROUPS_H

#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"

struct card;			/* machine/card.h */

enum {
	CGROUPS_MAX = 1 << 18,	/* ids; further ones are dropped */
	CGROUP_PATH = 4096,	/* bytes of a path; longer ones are dropped */
};

struct cgroups {
	struct hash by_id, by_path;	/* to numbers */
	char **paths;
	int64_t *containers;	/* by path: its container's path, or -1 */
	size_t count, size;
	size_t ids;
};

/* an all-zero struct cgroups is an empty table */
void cgroups_free(struct cgroups *c);

/* Sets the path, valid UTF-8, of an id that has none; ignores relative paths.
 * 0 or -ENOMEM. */
int cgroups_learn(struct cgroups *c, uint16_t origin, uint64_t id,
		  const char *path);

/* all of a card: 0 or -ENOMEM */
int cgroups_learn_card(struct cgroups *c, uint16_t origin,
		       const struct card *card);

/* the number of a cgroup's path, or -1 */
int64_t cgroups_find(const struct cgroups *c, uint16_t origin, uint64_t id);

/* the number of a path, or -1 */
int64_t cgroups_find_path(const struct cgroups *c, const char *path);

/* a path by its number, valid as long as *c; or NULL */
const char *cgroups_path(const struct cgroups *c, uint64_t number);

/* the number of the path of a path's container, maybe itself; -1: none */
int64_t cgroups_container(const struct cgroups *c, uint64_t number);

#endif
