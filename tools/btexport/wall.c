/* SPDX-License-Identifier: GPL-2.0-only */
/* The time of day of a run; see wall.h. */
#include <time.h>

#include "base/time.h"
#include "run/reader.h"
#include "tools/btexport/wall.h"

bool wall_ask(struct wall *w, const struct reader *r)
{
	struct timespec ts;
	int64_t ns;

	if (w->known || reader_wall(r, 0, &ts))
		return w->known;
	/* a damaged note may be centuries from the events */
	w->known = !__builtin_mul_overflow((int64_t)ts.tv_sec, NS_PER_SECOND,
					   &ns) &&
		   !__builtin_add_overflow(ns, ts.tv_nsec, &w->start);
	return w->known;
}
