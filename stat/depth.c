/* SPDX-License-Identifier: GPL-2.0-only */
/* How many requests are under way; see depth.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/hint.h"
#include "stat/depth.h"

/* places that are tried before halving */
enum { NEAR = 8 };

void depth_init(struct depth *d, uint64_t from, uint64_t to)
{
	*d = (struct depth){ .from = from, .to = to, .ordered = from };
	peak_init(&d->peak, DEPTH_STEPS);
	idle_init(&d->idle, from, DEPTH_GAPS);
}

void depth_free(struct depth *d)
{
	peak_free(&d->peak);
	idle_free(&d->idle);
	free(d->held);
	depth_init(d, d->from, d->to);
}

/* --- in the order of their ends ------------------------------------------ */

static int add_ordered(struct depth *d, const struct depth_span *s)
{
	int err = 0;

	if (s->to < d->ordered) {
		d->late = true;
		return 0;
	}
	d->ordered = s->to;
	if (!d->no_most)
		err = peak_add(&d->peak, s->from, s->to);
	return err ? err : idle_add(&d->idle, s->from, s->to);
}

/* Takes out the one that ends first. */
static int release(struct depth *d)
{
	return add_ordered(d, &d->held[d->head++]);
}

/* One more fits at the tail again. */
static COLD int make_room(struct depth *d)
{
	struct depth_span *held;

	if (d->head && d->head >= d->size / 2) {
		d->tail -= d->head;
		memmove(d->held, d->held + d->head,
			d->tail * sizeof(*d->held));
		d->head = 0;
		return 0;
	}
	held = array_reserve(d->held, d->tail, &d->size, 16, sizeof(*held));
	if (held)
		d->held = held;
	return held ? 0 : -ENOMEM;
}

/* Where one that ends at a moment belongs: behind all that are not later. */
static size_t place_of(const struct depth *d, uint64_t to)
{
	size_t low = d->head, i = d->tail;

	for (int steps = 0; i > low && steps < NEAR; steps++, i--)
		if (d->held[i - 1].to <= to)
			return i;
	/* all from i on are later */
	while (low < i) {
		size_t middle = low + (i - low) / 2;

		if (d->held[middle].to > to)
			i = middle;
		else
			low = middle + 1;
	}
	return low;
}

static void insert(struct depth *d, struct depth_span s)
{
	size_t at = place_of(d, s.to);

	if (at < d->tail)
		memmove(d->held + at + 1, d->held + at,
			(d->tail - at) * sizeof(*d->held));
	d->held[at] = s;
	d->tail++;
}

/* --- for callers --------------------------------------------------------- */

int depth_add(struct depth *d, uint64_t from, uint64_t to)
{
	struct depth_span s = { from < d->from ? d->from : from,
				to > d->to ? d->to : to };

	if (s.from >= s.to)
		return 0;
	if (UNLIKELY(d->tail == d->size) && make_room(d))
		return -ENOMEM;
	insert(d, s);
	wide_add(&d->integral, s.to - s.from);
	return d->tail - d->head > DEPTH_HELD ? release(d) : 0;
}

int depth_read(struct depth *d, uint64_t end, struct depth_row *row)
{
	int err = 0;

	if (end > d->to)
		end = d->to;
	while (!err && d->head < d->tail)
		err = release(d);
	*row = (struct depth_row){
		.from = d->from,
		.to = end < d->from ? d->from : end,
		.integral = d->integral,
		.busy = d->idle.end - d->from - d->idle.sum,
		.most = d->peak.most,
		.exact = d->peak.exact && d->idle.exact && !d->late,
		.doubtful = d->doubtful,
	};
	return err;
}

uint64_t depth_mean(const struct depth_row *row, uint32_t scale)
{
	uint64_t length = row->to - row->from;

	return length ?
	       wide_over(wide_times(row->integral, scale), length).low : 0;
}
