/* SPDX-License-Identifier: GPL-2.0-only */
/* Requests in flight over time; see depth.h. */
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/hint.h"
#include "stat/depth.h"

/* --- idle ----------------------------------------------------------------- */

void idle_init(struct idle *i, uint64_t from, size_t max)
{
	*i = (struct idle){ .exact = true, .end = from, .max = max };
}

void idle_free(struct idle *i)
{
	free(i->gaps);
	i->gaps = NULL;
	i->count = i->size = 0;
}

/* Joins pairs in the older half. */
static void join_pairs(struct idle *i)
{
	size_t pairs = i->count / 4;

	for (size_t k = 0; k < pairs; k++) {
		const struct idle_gap *a = &i->gaps[2 * k], *b = a + 1;

		i->gaps[k] = (struct idle_gap){ a->from, b->to,
						a->idle + b->idle };
	}
	i->count -= pairs;
	memmove(i->gaps + pairs, i->gaps + 2 * pairs,
		(i->count - pairs) * sizeof(*i->gaps));
}

static int add_gap(struct idle *i, uint64_t from, uint64_t to)
{
	struct idle_gap *gaps;

	if (i->count == i->max)
		join_pairs(i);
	gaps = array_reserve(i->gaps, i->count, &i->size, 16, sizeof(*gaps));
	if (!gaps)
		return -ENOMEM;
	i->gaps = gaps;
	gaps[i->count++] = (struct idle_gap){ from, to, to - from };
	i->sum += to - from;
	return 0;
}

/* Covers the last gap from a moment on. */
static void cut_last(struct idle *i, uint64_t from)
{
	struct idle_gap *gap = &i->gaps[i->count - 1];
	uint64_t left = from - gap->from, was = gap->idle;

	if (was < gap->to - gap->from)
		i->exact = false;
	gap->idle = was < left ? was : left;
	gap->to = from;
	i->sum -= was - gap->idle;
}

static void cover(struct idle *i, uint64_t from)
{
	while (i->count && i->gaps[i->count - 1].from >= from)
		i->sum -= i->gaps[--i->count].idle;
	if (i->count && i->gaps[i->count - 1].to > from)
		cut_last(i, from);
}

int idle_add(struct idle *i, uint64_t from, uint64_t to)
{
	int err = 0;

	if (from > i->end)
		err = add_gap(i, i->end, from);
	else
		cover(i, from);
	if (!err)
		i->end = to;
	return err;
}

/* --- peak ----------------------------------------------------------------- */

void peak_init(struct peak *p, size_t max)
{
	*p = (struct peak){ .exact = true, .max = max };
}

void peak_free(struct peak *p)
{
	free(p->steps);
	peak_init(p, p->max);
}

/* Removes unused steps. */
static void compact(struct peak *p)
{
	size_t kept = 0;

	for (size_t i = 0; i < p->count; i++)
		if (p->steps[i].drop)
			p->steps[kept++] = p->steps[i];
	p->count = kept;
	p->gone = 0;
}

/* Drops the older half.  Its height stays known, but intervals that start
 * before its end no longer raise it. */
static void forget(struct peak *p)
{
	size_t half = p->count / 2;

	for (size_t i = 0; i < half; i++)
		p->first -= p->steps[i].drop;
	p->forgotten = p->steps[half - 1].end;
	p->count -= half;
	memmove(p->steps, p->steps + half, p->count * sizeof(*p->steps));
}

/* by half, so that a step costs little */
static void peak_make_room(struct peak *p)
{
	bool full = p->count == p->max;

	if (full || (p->count == p->size && p->gone >= p->count / 2))
		compact(p);
	if (full && p->count > p->max / 2)
		forget(p);
}

static int add_step(struct peak *p, uint64_t end)
{
	struct peak_step *steps;

	peak_make_room(p);
	steps = array_reserve(p->steps, p->count, &p->size, 16,
			      sizeof(*steps));
	if (!steps)
		return -ENOMEM;
	p->steps = steps;
	steps[p->count++] = (struct peak_step){ .end = end };
	return 0;
}

/* last place whose end is at or before moment, or -1 */
static int32_t place_before(const struct peak *p, uint64_t moment)
{
	size_t low = 0, high = p->count;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (p->steps[middle].end > moment)
			high = middle;
		else
			low = middle + 1;
	}
	return (int32_t)low - 1;
}

/* The step at place or next on its left, or -1.  Shortens later searches. */
static int32_t step_at(struct peak *p, int32_t place)
{
	while (place >= 0 && !p->steps[place].drop) {
		int32_t left = p->steps[place].left;

		if (left >= 0 && !p->steps[left].drop)
			p->steps[place].left = p->steps[left].left;
		place = left;
	}
	return place;
}

/* Raises all later steps by one. */
static void lower(struct peak *p, int32_t place)
{
	struct peak_step *step = &p->steps[place];

	if (--step->drop)
		return;
	step->left = place - 1;
	p->gone++;
}

static void raise_first(struct peak *p)
{
	p->first++;
	if (p->first > p->most)
		p->most = p->first;
}

int peak_add(struct peak *p, uint64_t from, uint64_t to)
{
	int32_t before;
	int err = 0;

	if (!p->count || p->steps[p->count - 1].end < to)
		err = add_step(p, to);
	if (err)
		return err;
	if (from < p->forgotten)
		p->exact = false;
	p->steps[p->count - 1].drop++;
	before = step_at(p, place_before(p, from));
	if (before >= 0)
		lower(p, before);
	else
		raise_first(p);
	return 0;
}

/* --- depth ---------------------------------------------------------------- */

/* places tried before the binary search */
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

/* --- sorting by end ------------------------------------------------------- */

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

/* Removes the one that ends first. */
static int release(struct depth *d)
{
	return add_ordered(d, &d->held[d->head++]);
}

/* Makes room for one more at the tail. */
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

/* where one that ends at to belongs: after all that are not later */
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

/* --- interface ------------------------------------------------------------ */

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
