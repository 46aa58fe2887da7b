/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Statistics of the system, a device or a process: a cell per span between
 * events, and ranges of activity.
 */
#ifndef TOOLS_BTT_SPANS_H
#define TOOLS_BTT_SPANS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/btt/seconds.h"

/* --- ranges --------------------------------------------------------------- */

/* Ranges of activity, separated by pauses. */

struct range {
	uint64_t start, end;	/* ns, inclusive */
};

/* all zero: none */
struct ranges {
	struct range *list;	/* in order of time */
	size_t count, size;
};
void ranges_free(struct ranges *r);

/* slow path of ranges_add(): a new range; dies without memory */
void ranges_begin(struct ranges *r, uint64_t time);

/* active at this time; ignored before the last range's end */
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

/* --- spans ---------------------------------------------------------------- */

/* Times between two events, ns.  Those of remappers ("DM") are kept apart, as
 * their requests are queued again on the device below. */
enum span {
	SPAN_Q2Q_DM,		/* from one Q to the next */
	SPAN_Q2A_DM,		/* Q to the remap to a device below */
	SPAN_Q2C_DM,
	SPAN_Q2Q,
	SPAN_Q2A,
	SPAN_Q2G,		/* waiting for a request structure */
	SPAN_S2G,		/* of that, asleep */
	SPAN_G2I,
	SPAN_Q2M,
	SPAN_I2D,		/* in the scheduler */
	SPAN_M2D,
	SPAN_D2C,		/* in the device */
	SPAN_Q2C,
	SPANS
};

/* the spans kept apart for remappers */
enum span_twin { TWIN_Q2Q, TWIN_Q2A, TWIN_Q2C, SPAN_TWINS };

static inline enum span span_of_twin(enum span_twin twin, bool remapper)
{
	static const enum span spans[SPAN_TWINS][2] = {
		[TWIN_Q2Q] = { SPAN_Q2Q, SPAN_Q2Q_DM },
		[TWIN_Q2A] = { SPAN_Q2A, SPAN_Q2A_DM },
		[TWIN_Q2C] = { SPAN_Q2C, SPAN_Q2C_DM },
	};

	return spans[twin][remapper];
}

struct cell {
	uint64_t min, max, total;	/* min of none: UINT64_MAX */
	uint64_t count;
};

#define CELL_EMPTY ((struct cell){ .min = UINT64_MAX })

static inline void cell_add(struct cell *c, uint64_t value)
{
	if (value < c->min)
		c->min = value;
	if (value > c->max)
		c->max = value;
	c->total += value;
	c->count++;
}

/* adds b to *a */
static inline void cell_merge(struct cell *a, const struct cell *b)
{
	if (b->min < a->min)
		a->min = b->min;
	if (b->max > a->max)
		a->max = b->max;
	a->total += b->total;
	a->count += b->count;
}

struct spans {
	struct cell cells[SPANS];
	struct ranges queued, completed;
	uint64_t last_queue;	/* time of the last Q, or NEVER */
};

static inline void spans_init(struct spans *s)
{
	*s = (struct spans){ .last_queue = NEVER };
	for (int i = 0; i < SPANS; i++)
		s->cells[i] = CELL_EMPTY;
}

static inline void spans_free(struct spans *s)
{
	ranges_free(&s->queued);
	ranges_free(&s->completed);
}

/* the time from a to b, at least 1 ns */
static inline uint64_t span_between(uint64_t a, uint64_t b)
{
	return a < b ? b - a : 1;
}

/* a Q at this time; adds the time since the last one, if any, to *gaps */
static inline void spans_queue(struct spans *s, struct cell *gaps,
			       uint64_t time)
{
	if (s->last_queue != NEVER)
		cell_add(gaps, span_between(s->last_queue, time));
	s->last_queue = time;
}

#endif
