/* SPDX-License-Identifier: GPL-2.0-only */
/* How many ios are in each device; see depths.h. */
#include <errno.h>
#include <stdlib.h>

#include "analysis/report/depths.h"
#include "base/hint.h"

enum { WIDTH = 4096, HELD = 1 << 18 };

/* at the same ns what ends comes before what begins */
enum { ENDS, BEGINS };

void report_depths_init(struct report_depths *d)
{
	*d = (struct report_depths){ .width = WIDTH, .exact = true };
}

void report_depths_drop(struct report_depths *d)
{
	for (unsigned int i = 0; i < REPORT_DEPTHS; i++) {
		free(d->of[i].bins);
		d->of[i].bins = NULL;
	}
	heap_free(&d->moments);
	free(d->ends);
	d->ends = NULL;
}

void report_depths_free(struct report_depths *d)
{
	report_depths_drop(d);
	*d = (struct report_depths){ .width = 0 };
}

/* --- bins ----------------------------------------------------------------- */

static const struct report_depth_bin unused = { .min = UINT32_MAX };

static COLD int make_bins(struct report_depth *one)
{
	one->bins = malloc(REPORT_DEPTH_BINS * sizeof(*one->bins));
	if (!one->bins)
		return -ENOMEM;
	for (unsigned int i = 0; i < REPORT_DEPTH_BINS; i++)
		one->bins[i] = unused;
	return 0;
}

static void join(struct report_depth_bin *to,
		 const struct report_depth_bin *from)
{
	if (from->min < to->min)
		to->min = from->min;
	if (from->max > to->max)
		to->max = from->max;
	to->integral += from->integral;
}

static void halve(struct report_depth_bin *bins)
{
	for (unsigned int i = 0; i < REPORT_DEPTH_BINS; i++) {
		struct report_depth_bin one = unused;

		if (2 * i + 1 < REPORT_DEPTH_BINS) {
			join(&one, &bins[2 * i]);
			join(&one, &bins[2 * i + 1]);
		}
		bins[i] = one;
	}
}

void report_depths_widen(struct report_depths *d, uint64_t times)
{
	for (; times > 1; times /= 2) {
		for (unsigned int i = 0; i < REPORT_DEPTHS; i++)
			if (d->of[i].bins)
				halve(d->of[i].bins);
		d->width *= 2;
		d->bins = (d->bins + 1) / 2;
	}
}

/* There are bins up to time, which is above 0. */
static inline void reach(struct report_depths *d, uint64_t time)
{
	while (UNLIKELY((time - 1) / d->width >= REPORT_DEPTH_BINS))
		report_depths_widen(d, 2);
	if ((time - 1) / d->width >= d->bins)
		d->bins = (uint32_t)((time - 1) / d->width) + 1;
}

/* --- time ----------------------------------------------------------------- */

/* The depth has been what it is up to time. */
static inline void pass(struct report_depths *d, struct report_depth *one,
			uint64_t time)
{
	uint64_t span = time - one->last;

	if (!span)
		return;
	sum_add_wide(&one->integral, (sum_wide)one->now * span);
	one->busy += one->now ? span : 0;
	if (one->now > one->max)
		one->max = one->now;
	while (one->last < time) {
		struct report_depth_bin *b = &one->bins[one->last / d->width];
		uint64_t end = (one->last / d->width + 1) * d->width;

		if (end > time)
			end = time;
		if (one->now < b->min)
			b->min = one->now;
		if (one->now > b->max)
			b->max = one->now;
		b->integral += one->now * (end - one->last);
		one->last = end;
	}
}

static inline int move(struct report_depths *d, uint32_t number, uint64_t time,
		       bool begins)
{
	struct report_depth *one = &d->of[number];

	if (UNLIKELY(!one->bins) && make_bins(one))
		return -ENOMEM;
	pass(d, one, time);
	one->now += begins ? 1 : UINT32_MAX;
	return 0;
}

/* --- moments that wait ---------------------------------------------------- */

/*
 * Most ends come in order: they need no heap.
 */
static COLD int grow_ends(struct report_depths *d)
{
	size_t size = d->end_size ? 2 * d->end_size : 1024;
	struct report_moment *ends = malloc(size * sizeof(*ends));

	if (!ends)
		return -ENOMEM;
	for (size_t i = 0; i < d->end_count; i++)
		ends[i] = d->ends[(d->head + i) & (d->end_size - 1)];
	free(d->ends);
	d->ends = ends;
	d->head = 0;
	d->end_size = size;
	return 0;
}

static inline struct report_moment *end_at(const struct report_depths *d,
					   size_t i)
{
	return &d->ends[(d->head + i) & (d->end_size - 1)];
}

static int add_end(struct report_depths *d, uint64_t time, uint32_t id)
{
	struct order key = { .time = time, .rank = ENDS };

	if (d->end_count && end_at(d, d->end_count - 1)->time > time)
		return heap_push(&d->moments, &key, id);
	if (UNLIKELY(d->end_count == d->end_size) && grow_ends(d))
		return -ENOMEM;
	*end_at(d, d->end_count++) = (struct report_moment){ time, id };
	return 0;
}

static inline size_t waiting(const struct report_depths *d)
{
	return d->moments.count + d->end_count;
}

/* whether the next moment is an end out of the ring */
static inline bool is_end_next(const struct report_depths *d)
{
	const struct heap_node *top = heap_top(&d->moments);

	return d->end_count && (!top || end_at(d, 0)->time <= top->key.time);
}

static inline uint64_t next_time(const struct report_depths *d)
{
	return is_end_next(d) ? end_at(d, 0)->time :
				heap_top(&d->moments)->key.time;
}

/* the earliest moment that waits */
static int take(struct report_depths *d)
{
	bool is_end = is_end_next(d), begins = false;
	uint64_t time = next_time(d);
	uint32_t id;
	int err;

	if (is_end) {
		id = end_at(d, 0)->id;
		d->head++;
		d->end_count--;
	} else {
		begins = heap_top(&d->moments)->key.rank == BEGINS;
		id = heap_pop(&d->moments);
	}
	if (time)
		reach(d, time);
	d->done = time;
	err = move(d, id >> 1, time, begins);
	if (!err && id & 1)
		err = move(d, REPORT_DEPTH_ALL, time, begins);
	return err;
}

int report_depths_add(struct report_depths *d, uint32_t disk, bool all,
		      uint64_t from, uint64_t to)
{
	struct order begin = { .rank = BEGINS };
	uint32_t id = disk << 1 | all;
	int err = 0;

	if (UNLIKELY(from < d->done)) {
		from = d->done;
		d->exact = false;
	}
	if (from >= to)
		return 0;
	while (UNLIKELY(waiting(d) > HELD) && !err)
		err = take(d);
	begin.time = from > d->done ? from : d->done;
	if (err || begin.time >= to)
		return err;
	err = heap_push(&d->moments, &begin, id);
	return err ? err : add_end(d, to, id);
}

int report_depths_settle(struct report_depths *d, uint64_t time)
{
	int err = 0;

	while (!err && waiting(d) && next_time(d) < time)
		err = take(d);
	return err;
}

int report_depths_end(struct report_depths *d, uint64_t end)
{
	int err = 0;

	while (!err && waiting(d))
		err = take(d);
	if (end)
		reach(d, end);
	for (unsigned int i = 0; !err && i < REPORT_DEPTHS; i++)
		if (d->of[i].bins && end > d->of[i].last)
			pass(d, &d->of[i], end);
	return err;
}
