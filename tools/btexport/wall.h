/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * From the time of a run to that of day, in ns since 1970: what reader_wall()
 * knew when it was first asked with success, so that the difference of both is
 * the same in all rows of a run.
 */
#ifndef TOOLS_BTEXPORT_WALL_H
#define TOOLS_BTEXPORT_WALL_H

#include <stdbool.h>
#include <stdint.h>

struct reader;			/* run/reader.h */

/* begins as all zeros */
struct wall {
	bool known;
	int64_t start;		/* when the time of the run was 0 */
};

/* asks once more, if it is not known; whether it is */
bool wall_ask(struct wall *w, const struct reader *r);

/* the time of day at time of the run; false: not known, or not in 64 bits */
static inline bool wall_at(struct wall *w, const struct reader *r,
			   uint64_t time, int64_t *ns)
{
	if (!w->known && !wall_ask(w, r))
		return false;
	return !__builtin_add_overflow(w->start, time, ns);
}

#endif
