/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The requests that ended last, and what happened to them in order of time.
 *
 * Requests come in the order in which they end.  What depends on how many were
 * under way at a time has to see their moments in order.  So each is held
 * until 1,024 others have ended behind it, and its moments come out in order:
 * exactly, as long as no request is overtaken by that many.  What comes too
 * late is taken for happening now.
 *
 * Cost: requests end nearly in the order in which they begin, so that putting
 * moments in their places moves about 4 times as many numbers of 8 bytes as
 * there are requests under way; 32 KiB at worst.
 */
#ifndef ANALYSIS_FINDINGS_RECENT_H
#define ANALYSIS_FINDINGS_RECENT_H

#include "analysis/findings/served.h"

enum {
	RECENT_MAX = 1024,
	RECENT_KEYS = 2 * SERVED_MOMENTS * RECENT_MAX,
};

/* an all-zero one is empty */
struct recent {
	struct served slots[RECENT_MAX];	/* a ring */
	uint32_t first, count;
	uint64_t now;		/* the time of the last moment */

	/* recent.c's: moments to come, ascending, from head to tail */
	uint64_t keys[RECENT_KEYS];
	uint32_t head, tail;
};

static inline bool recent_full(const struct recent *r)
{
	return r->count == RECENT_MAX;
}

/*
 * One more; there must be room.  Its moments are in their order but for the
 * first, which may be behind the second.
 */
void recent_add(struct recent *r, const struct served *s);

/* when the oldest ended; there must be one */
static inline uint64_t recent_oldest_end(const struct recent *r)
{
	return r->slots[r->first].end;
}

/*
 * The next moment that is not later than until: which, and of what; its time
 * is r->now.  NULL: there is none.
 */
const struct served *recent_next(struct recent *r, uint64_t until,
				 enum served_moment *moment);

/* forgets the oldest, all of whose moments have been seen */
void recent_drop(struct recent *r);

#endif
