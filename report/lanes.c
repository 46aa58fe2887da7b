/* SPDX-License-Identifier: GPL-2.0-only */
/* What is rare, and when it was; see lanes.h. */
#include <errno.h>
#include <stdlib.h>

#include "base/array.h"
#include "report/lanes.h"

/* every second one stays */
static void thin(struct report_lane *lane)
{
	size_t n = 0;

	for (size_t i = 0; i < lane->kept; i += 2)
		lane->list[n++] = lane->list[i];
	lane->kept = n;
	lane->step *= 2;
}

int report_lanes_add(struct report_lanes *l, enum report_lane_kind kind,
		     uint64_t time, uint64_t length)
{
	struct report_lane *lane = &l->of[kind];
	struct report_span_at *list;

	if (!lane->step)
		lane->step = 1;
	if (length > lane->longest)
		lane->longest = length;
	if (lane->count++ % lane->step)
		return 0;
	/* one more than are kept: then they are thinned */
	list = array_reserve(lane->list, lane->kept, &lane->size, 64,
			     sizeof(*list));
	if (!list)
		return -ENOMEM;
	lane->list = list;
	list[lane->kept++] = (struct report_span_at){ time, length };
	if (lane->kept > REPORT_LANE_KEPT)
		thin(lane);
	return 0;
}

static int by_time(const void *a, const void *b)
{
	const struct report_span_at *one = a, *two = b;

	if (one->time != two->time)
		return one->time < two->time ? -1 : 1;
	return one->length < two->length ? -1 : one->length > two->length;
}

void report_lanes_end(struct report_lanes *l)
{
	for (unsigned int i = 0; i < REPORT_LANES; i++)
		if (l->of[i].kept)
			qsort(l->of[i].list, l->of[i].kept,
			      sizeof(*l->of[i].list), by_time);
}

void report_lanes_thin(struct report_lanes *l, size_t most)
{
	for (unsigned int i = 0; i < REPORT_LANES; i++)
		while (l->of[i].kept > most)
			thin(&l->of[i]);
}

void report_lanes_drop(struct report_lanes *l)
{
	for (unsigned int i = 0; i < REPORT_LANES; i++) {
		free(l->of[i].list);
		l->of[i].list = NULL;
	}
}

void report_lanes_free(struct report_lanes *l)
{
	report_lanes_drop(l);
	*l = (struct report_lanes){ .of = { { 0 } } };
}
