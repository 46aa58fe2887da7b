/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The periods in which a device, or any device, was busy: requests from issue
 * to completion, joined where they overlap or touch.
 *
 * Periods before all requests in flight are settled: kept only as sums.  The
 * latest BUSY_KEPT are not, so that events slightly out of order do no harm;
 * none are if all are needed at the end (-Z).
 */
#ifndef TOOLS_BTT_BUSY_H
#define TOOLS_BTT_BUSY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { BUSY_KEPT = 16384 };

struct period {
	uint64_t start, end;	/* ns, inclusive */
};

struct busy {
	struct period *list;	/* in order of time, disjoint */
	size_t count, size;
	size_t crowd;		/* the count that is worth a flush */
	bool keep_all;
	/* of settled periods */
	uint64_t settled, settled_time, settled_end;
};

/* the sums over all periods */
struct busy_sums {
	uint64_t periods;
	uint64_t time;		/* total, ns */
	uint64_t end;		/* of the last */
};

void busy_init(struct busy *b, bool keep_all);
void busy_free(struct busy *b);

/* adds a request in flight from start to end; dies without memory */
void busy_add(struct busy *b, uint64_t start, uint64_t end);

/* whether busy_flush() should be called */
static inline bool busy_is_crowded(const struct busy *b)
{
	return b->count >= b->crowd && !b->keep_all;
}

/* settles periods; no later busy_add() starts before this time */
void busy_flush(struct busy *b, uint64_t before);

struct busy_sums busy_sums(const struct busy *b);

#endif
