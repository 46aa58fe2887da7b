/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How long no interval holds, found while they come in order of their ends,
 * whenever they began.
 *
 * The gaps so far are kept, as an interval may still cover the latest of them.
 * If they become too many, older ones are joined two by two; this is exact
 * unless an interval begins within such a pair.
 */
#ifndef STAT_IDLE_H
#define STAT_IDLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct idle_gap {
	uint64_t from, to;
	uint64_t idle;		/* all of it, if it is no pair */
};

struct idle {
	uint64_t sum;		/* the result, up to the last interval's end */
	bool exact;		/* or there was less */

	/* idle.c's */
	uint64_t end;		/* of the last interval */
	struct idle_gap *gaps;
	size_t count, size, max;
};

/* time begins at from; at most max gaps are kept, 24 bytes each, 4 at least */
void idle_init(struct idle *i, uint64_t from, size_t max);

/*
 * An interval that holds from one moment up to another, which is later, and no
 * earlier than that of the interval before.  0, or -ENOMEM.
 */
int idle_add(struct idle *i, uint64_t from, uint64_t to);

void idle_free(struct idle *i);

#endif
