/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How many requests each unplug let go: <name>_<dev>.dat, a line for each
 * number of fives (-u).
 */
#ifndef TOOLS_BTT_FILES_UNPLUGS_H
#define TOOLS_BTT_FILES_UNPLUGS_H

#include <stdbool.h>
#include <stdint.h>

struct opener;			/* base/opener.h */

enum {
	UNPLUGS_STEP = 5,
	UNPLUGS_BUCKETS = 21,	/* the last has all that are above */
};

struct unplugs {
	uint64_t counts[UNPLUGS_BUCKETS];
};

static inline void unplugs_add(struct unplugs *u, uint64_t requests)
{
	uint64_t bucket = requests / UNPLUGS_STEP;

	u->counts[bucket < UNPLUGS_BUCKETS ? bucket : UNPLUGS_BUCKETS - 1]++;
}

/* false: not all is in the file, after a warning */
bool unplugs_write(const struct unplugs *u, const struct opener *by,
		   const char *name, const char *label);

#endif
