/* SPDX-License-Identifier: GPL-2.0-only */
/* How long requests waited; see waits.h. */
#include "tools/btt/seconds.h"
#include "tools/btt/waits.h"

void waits_add(struct waits *w, uint64_t ns)
{
	/* milliseconds at which the classes end, but the last, which has all */
	static const int64_t ends[WAITS - 1] = { 5,   10,  25,  50,  75,
						 100, 250, 500, 1000 };
	/* this very expression decides what lies on an edge */
	int64_t ms = (int64_t)(seconds_of_time(ns) / 0.001);
	int class = 0;

	while (class < WAITS - 1 && ms >= ends[class])
		class++;
	w->counts[class]++;
}
