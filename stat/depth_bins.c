/* SPDX-License-Identifier: GPL-2.0-only */
/* Depth in bins; see depth_bins.h. */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

#include "stat/depth_bins.h"

/* kinds of moments, in their order at the same time */
enum { ENDS, BEGINS };

int depth_bins_init(struct depth_bins *d, uint64_t from, uint64_t width,
		    unsigned int count)
{
	*d = (struct depth_bins){ .from = from, .width = width, .count = count,
				  .at = from };
	d->bins = calloc(count, sizeof(*d->bins));
	return d->bins ? 0 : -ENOMEM;
}

void depth_bins_free(struct depth_bins *d)
{
	heap_free(&d->held);
	free(d->bins);
	d->bins = NULL;
}

/* --- bins ----------------------------------------------------------------- */

static void merge(struct depth_bin *to, const struct depth_bin *b)
{
	if (!b->length)
		return;
	if (!to->length || b->least < to->least)
		to->least = b->least;
	if (b->most > to->most)
		to->most = b->most;
	wide_join(&to->integral, b->integral);
	to->length += b->length;
}

static void halve(struct depth_bins *d)
{
	for (unsigned int i = 0; i < d->count; i++) {
		struct depth_bin b = d->bins[i];

		d->bins[i] = (struct depth_bin){ .length = 0 };
		merge(&d->bins[i / 2], &b);
	}
	d->width *= 2;
}

/* bin of a time that is not before the first */
static unsigned int bin_at(struct depth_bins *d, uint64_t time)
{
	while ((time - d->from) / d->width >= d->count)
		halve(d);
	return (unsigned int)((time - d->from) / d->width);
}

static uint64_t begin_of(const struct depth_bins *d, unsigned int bin)
{
	return d->from + bin * d->width;
}

/* ns of a bin within from..to, which overlaps it */
static uint64_t overlap(const struct depth_bins *d, unsigned int bin,
			uint64_t from, uint64_t to)
{
	uint64_t begin = begin_of(d, bin), end;

	if (__builtin_add_overflow(begin, d->width, &end) || end > to)
		end = to;
	return end - (from > begin ? from : begin);
}

/* Fills bins up to a moment, not before d->at, with the current depth. */
static void fill(struct depth_bins *d, uint64_t to)
{
	unsigned int bin, last;

	if (to == d->at)
		return;
	last = bin_at(d, to - 1);
	for (bin = bin_at(d, d->at); bin <= last; bin++) {
		struct depth_bin b = { .least = d->now, .most = d->now };

		b.length = overlap(d, bin, d->at, to);
		b.integral = wide_product(b.length, d->now);
		merge(&d->bins[bin], &b);
	}
	d->at = to;
}

/* Fills for a request added too late, which was in flight before d->at. */
static void fill_late(struct depth_bins *d, uint64_t from, uint64_t to)
{
	unsigned int bin = bin_at(d, from), last = bin_at(d, to - 1);

	for (; bin <= last; bin++) {
		struct depth_bin *b = &d->bins[bin];
		uint64_t length = overlap(d, bin, from, to);

		wide_add(&b->integral, length);
		b->most++;
		b->least += length >= b->length;
	}
}

/* --- moments -------------------------------------------------------------- */

static void next_moment(struct depth_bins *d)
{
	struct order key = heap_top(&d->held)->key;

	heap_pop(&d->held);
	if (key.time > d->at)
		fill(d, key.time);
	if (key.rank == BEGINS)
		d->now++;
	else
		d->now--;
}

static int hold(struct depth_bins *d, uint64_t time, unsigned int what)
{
	const struct order key = { .time = time, .rank = what };
	int err = heap_push(&d->held, &key, 0);

	while (!err && d->held.count > DEPTH_BINS_HELD)
		next_moment(d);
	return err;
}

int depth_bins_add(struct depth_bins *d, uint64_t from, uint64_t to)
{
	int err;

	if (from < d->from)
		from = d->from;
	if (to <= from)
		return 0;
	if (from < d->at)
		fill_late(d, from, to < d->at ? to : d->at);
	if (to <= d->at)
		return 0;
	err = hold(d, from < d->at ? d->at : from, BEGINS);
	if (!err && to != UINT64_MAX)
		err = hold(d, to, ENDS);
	return err;
}

void depth_bins_end(struct depth_bins *d, uint64_t end)
{
	while (d->held.count && heap_top(&d->held)->key.time < end)
		next_moment(d);
	if (end > d->at)
		fill(d, end);
}

/* --- sums ----------------------------------------------------------------- */

static unsigned int first_at(const struct depth_bins *d, uint64_t time)
{
	uint64_t bin;

	if (time <= d->from)
		return 0;
	bin = (time - d->from - 1) / d->width + 1;
	return bin < d->count ? (unsigned int)bin : d->count;
}

void depth_bins_sum(const struct depth_bins *d, uint64_t from, uint64_t to,
		    struct depth_bin *sum)
{
	unsigned int end = first_at(d, to);

	*sum = (struct depth_bin){ .length = 0 };
	for (unsigned int i = first_at(d, from); i < end; i++)
		merge(sum, &d->bins[i]);
}
