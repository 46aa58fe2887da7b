/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What one process did on one device, of the spans that are kept apart for
 * remappers.  Whether a device is one may be known only after its first
 * requests, so these are counted by process and device, and become the
 * process's at the end.
 */
#ifndef TOOLS_BTT_SHARES_H
#define TOOLS_BTT_SHARES_H

#include "base/hash.h"
#include "base/hint.h"
#include "tools/btt/processes.h"
#include "tools/btt/spans.h"

struct disk;			/* tools/btt/disk.h */

struct share {
	struct process *process;
	const struct disk *disk;
	struct cell cells[SPAN_TWINS];
	struct share *next;	/* of all, in no order */
};

struct shares {
	struct hash by_both;
	struct share *first;
};

/* an all-zero struct shares is empty */
void shares_free(struct shares *s);

/* slow path of shares_get() */
struct share *shares_find(struct shares *s, struct process *p,
			  const struct disk *d);

/* the one of that process and device, made if there is none; dies without
 * memory */
static inline struct share *shares_get(struct shares *s, struct process *p,
				       const struct disk *d)
{
	if (LIKELY(p->share && p->share->disk == d))
		return p->share;
	return shares_find(s, p, d);
}

/* at the end: adds all to their processes' spans */
void shares_sum(const struct shares *s);

#endif
