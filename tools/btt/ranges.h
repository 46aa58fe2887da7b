/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * When something was active: times near to each other make one range, a longer
 * pause begins a new one.
 */
#ifndef TOOLS_BTT_RANGES_H
#define TOOLS_BTT_RANGES_H

#include <stddef.h>
#include <stdint.h>

struct range {
	uint64_t start, end;	/* ns, both belong to it */
};

/* all zero: there are none */
struct ranges {
	struct range *list;	/* in order of time */
	size_t count, size;
};
void ranges_free(struct ranges *r);

/* slow path of ranges_add(): a new range; dies without memory */
void ranges_begin(struct ranges *r, uint64_t time);

/* active at this time; one before the last range's end means nothing */
static inline void ranges_add(struct ranges *r, uint64_t time, uint64_t pause)
{
	struct range *last;

	if (!r->count) {
		ranges_begin(r, time);
		return;
	}
	last = &r->list[r->count - 1];
	if (time < last->end)
		return;
	if (time - last->end < pause)
		last->end = time;
	else
		ranges_begin(r, time);
}

#endif
