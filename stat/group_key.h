/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The values that ios have for the keys of stat/group: as they come, and
 * final, with names for processes.
 */
#ifndef STAT_GROUP_KEY_H
#define STAT_GROUP_KEY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/hash.h"
#include "stat/group_row.h"

/* sectors of a region at first, and how many regions there are at most */
enum { GROUP_REGION_SHIFT = 11, GROUP_REGIONS = 128 };

/* a value with this bit is a name's number */
#define GROUP_NAMED (UINT64_C(1) << 63)

/*
 * The number of the path in run/cgroups that a value of GROUP_CGROUP, or
 * GROUP_CONTAINER, stands for; -1: it is the id of one without a name.
 */
static inline int64_t group_key_cgroup(uint64_t value)
{
	return value & GROUP_NAMED ? (int64_t)(value & ~GROUP_NAMED) : -1;
}

/* that value of a cgroup: its path's number if it has one, else its id.  c may
 * be NULL */
uint64_t group_key_of_cgroup(const struct cgroups *c, uint16_t origin,
			     uint64_t id);

struct group_names {
	struct hash by_text;	/* to their numbers */
	char **list;
	size_t count, size;
};

void group_names_free(struct group_names *n);

/*
 * Whether a region that io is in is beyond the last one of that size: then the
 * size has to grow.
 */
static inline bool group_key_beyond(const struct io *io, unsigned int shift)
{
	return io->sector >> shift >= GROUP_REGIONS;
}

/* io's values for the keys of *o, to values */
void group_key_values(const struct group_options *o, const struct io *io,
		      unsigned int shift, uint64_t values[]);

/*
 * Makes values final: processes that have names by now get these, and sectors
 * are those of larger regions.  0, or -ENOMEM.
 */
int group_key_finish(const struct group_options *o, struct group_names *n,
		     unsigned int shift, uint64_t values[]);

#endif
