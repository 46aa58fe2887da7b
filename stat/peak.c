/* SPDX-License-Identifier: GPL-2.0-only */
/* The most intervals at a time; see peak.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "stat/peak.h"

void peak_init(struct peak *p, size_t max)
{
	*p = (struct peak){ .exact = true, .max = max };
}

void peak_free(struct peak *p)
{
	free(p->steps);
	peak_init(p, p->max);
}

/* Takes out what is no step any more. */
static void compact(struct peak *p)
{
	size_t kept = 0;

	for (size_t i = 0; i < p->count; i++)
		if (p->steps[i].drop)
			p->steps[kept++] = p->steps[i];
	p->count = kept;
	p->gone = 0;
}

/* The older half goes.  How high it was is known, but it is not raised any more
 * by intervals that begin before its end. */
static void forget(struct peak *p)
{
	size_t half = p->count / 2;

	for (size_t i = 0; i < half; i++)
		p->first -= p->steps[i].drop;
	p->forgotten = p->steps[half - 1].end;
	p->count -= half;
	memmove(p->steps, p->steps + half, p->count * sizeof(*p->steps));
}

/* Half of them at a time, so that a step costs little. */
static void make_room(struct peak *p)
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

	make_room(p);
	steps = array_reserve(p->steps, p->count, &p->size, 16,
			      sizeof(*steps));
	if (!steps)
		return -ENOMEM;
	p->steps = steps;
	steps[p->count++] = (struct peak_step){ .end = end };
	return 0;
}

/* The last place whose end is not behind moment, or -1. */
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

/* The step at place, or the next one on its left, or -1.  Ways become shorter
 * as they are gone. */
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

/* All behind it are one higher, it is not. */
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
