/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which offsets of the devices of all traces are worth being shown.
 */
#ifndef TOOLS_IOWATCHER_PLANE_RANGE_H
#define TOOLS_IOWATCHER_PLANE_RANGE_H

#include <stdbool.h>
#include <stddef.h>

struct traced;			/* tools/iowatcher/traced.h */
struct watched_span;		/* tools/iowatcher/options.h */

struct plane_range {
	bool stacked;		/* a trace has several devices */
	double low, high;	/* sectors */
};

/*
 * 1.3.0: of the offsets, cut into ten parts, those at either end which have
 * less than 5 % of what the fullest has are left out; not if the user has
 * chosen.  False: there are none.
 */
bool plane_range_find(struct plane_range *r, const struct watched_span *wanted,
		      const struct traced *traces, size_t count);

/* where a trace's device begins in the range, by its place in the list */
double plane_range_base(const struct plane_range *r, const struct traced *t,
			size_t device);

#endif
