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

void report_depths_free(struct report_depths *d)
{
	for (unsigned int i = 0; i < REPORT_DEPTHS; i++)
		free(d->of[i].bins);
	heap_free(&d->moments);
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

/* the earliest moment that waits */
static int take(struct report_depths *d)
{
	struct order key = heap_top(&d->moments)->key;
	uint32_t id = heap_pop(&d->moments);
	int err;

	if (key.time)
		reach(d, key.time);
	d->done = key.time;
	err = move(d, id >> 1, key.time, key.rank == BEGINS);
	if (!err && id & 1)
		err = move(d, REPORT_DEPTH_ALL, key.time, key.rank == BEGINS);
	return err;
}

int report_depths_add(struct report_depths *d, uint32_t disk, bool all,
		      uint64_t from, uint64_t to)
{
	struct order begin = { .rank = BEGINS }, end = { .rank = ENDS };
	uint32_t id = disk << 1 | all;
	int err = 0;

	if (UNLIKELY(from < d->done)) {
		from = d->done;
		d->exact = false;
	}
	if (from >= to)
		return 0;
	while (UNLIKELY(d->moments.count > HELD) && !err)
		err = take(d);
	begin.time = from > d->done ? from : d->done;
	end.time = to;
	if (err || begin.time >= to)
		return err;
	err = heap_push(&d->moments, &begin, id);
	return err ? err : heap_push(&d->moments, &end, id);
}

int report_depths_settle(struct report_depths *d, uint64_t time)
{
	int err = 0;

	while (!err && d->moments.count &&
	       heap_top(&d->moments)->key.time < time)
		err = take(d);
	return err;
}

int report_depths_end(struct report_depths *d, uint64_t end)
{
	int err = 0;

	while (!err && d->moments.count)
		err = take(d);
	if (end)
		reach(d, end);
	for (unsigned int i = 0; !err && i < REPORT_DEPTHS; i++)
		if (d->of[i].bins && end > d->of[i].last)
			pass(d, &d->of[i], end);
	return err;
}
