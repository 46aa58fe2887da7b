/* SPDX-License-Identifier: GPL-2.0-only */
/* The time of day of a run; see wall.h. */
#include <time.h>

#include "base/time.h"
#include "tools/btexport/wall.h"
#include "trace/reader.h"

bool wall_ask(struct wall *w, const struct reader *r)
{
	struct timespec ts;

	if (w->known || reader_wall(r, 0, &ts))
		return w->known;
	/* seconds of a note have 32 bits: the product fits */
	w->start = (int64_t)ts.tv_sec * NS_PER_SECOND + ts.tv_nsec;
	w->known = true;
	return true;
}
