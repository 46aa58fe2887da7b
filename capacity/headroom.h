/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How much more a device could do: the share of the rate that it has at the deepest
 * level which still keeps a target of latency, or else of its capacity, that this
 * trace does not use on average.
 *
 * The target is kept by a level if at most 1% of the I/Os that came to it took
 * longer.  This share is taken to grow with the level, so that a few I/Os that
 * were slow for another reason do not count (isotonic regression).
 */
#ifndef CAPACITY_HEADROOM_H
#define CAPACITY_HEADROOM_H

#include <stdbool.h>

#include "capacity/knee.h"

struct headroom {
	bool known;
	bool at_least;		/* no level that was seen is too slow: left is the
				 * least that is */
	bool none;		/* not even the least level keeps the target */
	double level;		/* the deepest one that does, if there is a target */
	double now;		/* completions a second, of the whole window */
	struct knee_range left;	/* from 0 to 1 */
};

/* target: the levels have one */
void headroom_find(struct headroom *h, const struct levels *l,
		   const struct knee *k, bool target);

#endif
