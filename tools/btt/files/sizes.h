/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Sizes of requests: <name>_qhist.dat for queued ones, <name>_dhist.dat for
 * issued ones (with -o), without remappers'.
 */
#ifndef TOOLS_BTT_FILES_SIZES_H
#define TOOLS_BTT_FILES_SIZES_H

#include <stdbool.h>
#include <stdint.h>

struct opener;			/* base/opener.h */

enum { SIZES_MAX = 1024 };	/* blocks; all larger ones count together */

struct sizes {
	uint64_t counts[SIZES_MAX + 2];	/* by blocks; [0] is not shown */
};

static inline void sizes_add(struct sizes *s, uint32_t blocks)
{
	s->counts[blocks <= SIZES_MAX ? blocks : SIZES_MAX + 1]++;
}

/* adds b to *a */
static inline void sizes_merge(struct sizes *a, const struct sizes *b)
{
	for (int blocks = 0; blocks <= SIZES_MAX + 1; blocks++)
		a->counts[blocks] += b->counts[blocks];
}

/* writes both; false: a write failed, after a warning */
bool sizes_write(const struct opener *by, const struct sizes *queued,
		 const struct sizes *issued, const char *name);

#endif
