/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How many intervals hold at a time at most, found while they come in order of
 * their ends, whenever they began.
 *
 * Each of them raises all that is behind its begin, so of two moments the
 * later is raised whenever the earlier is: only moments which are higher than
 * all later ones can ever be the highest.  These are kept, as steps that lead
 * down; they are at most as many as the highest is high.
 */
#ifndef STAT_PEAK_H
#define STAT_PEAK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct peak_step {
	uint64_t end;		/* the moment just before it */
	uint32_t drop;		/* how much it is above the next step; 0: it is
				 * none any more */
	int32_t left;		/* then: where to look for one on the left */
};

struct peak {
	uint32_t most;		/* the result */
	bool exact;		/* or there were more */

	/* peak.c's */
	uint32_t first;		/* height of the first step */
	uint64_t forgotten;	/* end of those that there was no room for */
	struct peak_step *steps;
	size_t count, size, max;
	size_t gone;		/* steps that are none any more */
};

/* at most max steps are kept, 16 bytes each, 2 at least; exact up to a depth of
 * half of it */
void peak_init(struct peak *p, size_t max);

/*
 * An interval that holds from one moment up to another, which is later, and no
 * earlier than that of the interval before.  0, or -ENOMEM.
 */
int peak_add(struct peak *p, uint64_t from, uint64_t to);

void peak_free(struct peak *p);

#endif
