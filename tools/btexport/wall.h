/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The time of day of a run's times, in ns since 1970, from the first success of
 * reader_wall(): their difference is the same in all rows.
 */
#ifndef TOOLS_BTEXPORT_WALL_H
#define TOOLS_BTEXPORT_WALL_H

#include <stdbool.h>
#include <stdint.h>

struct reader;			/* run/reader.h */

/* starts as all zeros */
struct wall {
	bool known;
	int64_t start;		/* of the run */
};

/* asks the reader; returns whether start is known */
bool wall_ask(struct wall *w, const struct reader *r);

/* the time of day of time; false: unknown, or not in 64 bits */
static inline bool wall_at(struct wall *w, const struct reader *r,
			   uint64_t time, int64_t *ns)
{
	if (!w->known && !wall_ask(w, r))
		return false;
	return !__builtin_add_overflow(w->start, time, ns);
}

#endif
