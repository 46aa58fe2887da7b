/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * When a device, or any of all, was busy: the time from a request's issue to
 * its completion, and what overlaps or touches it, is one period.
 *
 * Periods that no request under way can reach back to are settled: they are
 * only counted.  The latest BUSY_KEPT are not settled, so that events a little
 * out of order do no harm; and none are when all are wanted in the end (-Z).
 */
#ifndef TOOLS_BTT_BUSY_H
#define TOOLS_BTT_BUSY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { BUSY_KEPT = 16384 };

struct period {
	uint64_t start, end;	/* ns, both belong to it */
};

struct busy {
	struct period *list;	/* in order of time, apart from each other */
	size_t count, size;
	size_t crowd;		/* so many are worth a flush */
	bool keep_all;
	/* of those that are settled */
	uint64_t settled, settled_time, settled_end;
};

/* the sums over all periods */
struct busy_sums {
	uint64_t periods;
	uint64_t time;		/* of all together, ns */
	uint64_t end;		/* of the last */
};

void busy_init(struct busy *b, bool keep_all);
void busy_free(struct busy *b);

/* a request was with the device from start to end; dies without memory */
void busy_add(struct busy *b, uint64_t start, uint64_t end);

/* whether there are so many that busy_flush() should be called */
static inline bool busy_is_crowded(const struct busy *b)
{
	return b->count >= b->crowd && !b->keep_all;
}

/* no period that begins before this time is expected any more */
void busy_flush(struct busy *b, uint64_t before);

struct busy_sums busy_sums(const struct busy *b);

#endif
