/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * I/Os to samples; see sampler.h.
 *
 * stat/series decides when an interval is over and computes its depth; its
 * other counts are in pending until then.
 */
#include <errno.h>
#include <stdlib.h>

#include "base/hint.h"
#include "base/histogram.h"
#include "emit/values.h"
#include "request/io.h"
#include "request/ios.h"
#include "run/reader.h"
#include "stat/coverage.h"
#include "stat/depth_rows.h"
#include "stat/group_op.h"
#include "stat/measure.h"
#include "stat/pace.h"
#include "stat/series.h"
#include "tools/blktop/sampler.h"

enum { PENDING = DEPTH_ROWS + 1 };

struct sampler {
	struct sampler_options o;
	struct series *series;
	struct paces paces;
	struct pace_open open;
	bool any_q;		/* an I/O started with a Q */
	uint64_t lost;		/* reported lost records */

	/* the current interval, if now is set */
	struct sample *now;
	struct group *groups[SAMPLE_TABLES];
	struct histogram times;

	/* finished ones, by their numbers, from the oldest on */
	struct sample *pending[PENDING];
	unsigned int head, count;
};

/* the depth counts open I/Os */
static void watch_open(struct sampler *s)
{
	const struct depth_open open = { pace_open_add, &s->open };

	s->open = (struct pace_open){ &s->paces, s->o.ios, s->o.filter };
	if (s->o.ios)
		series_watch_open(s->series, &open);
}

int sampler_new(struct sampler **s, const struct sampler_options *o)
{
	struct sampler *n = calloc(1, sizeof(*n));

	*s = n;
	if (!n)
		return -ENOMEM;
	n->o = *o;
	if (!series_new(&n->series, o->from, o->interval, o->wait)) {
		watch_open(n);
		return 0;
	}
	sampler_free(n);
	*s = NULL;
	return -ENOMEM;
}

static void free_groups(struct sampler *s)
{
	for (unsigned int i = 0; i < s->o.key_count; i++) {
		group_free(s->groups[i]);
		s->groups[i] = NULL;
	}
	histogram_free(&s->times);
}

/* the oldest pending one, or NULL */
static struct sample *oldest(const struct sampler *s)
{
	return s->count ? s->pending[s->head] : NULL;
}

static struct sample *take_oldest(struct sampler *s)
{
	struct sample *sample = s->pending[s->head];

	s->head = (s->head + 1) % PENDING;
	s->count--;
	return sample;
}

void sampler_free(struct sampler *s)
{
	if (!s)
		return;
	while (s->count)
		sample_free(take_oldest(s));
	free_groups(s);
	sample_free(s->now);
	series_free(s->series);
	paces_free(&s->paces);
	free(s);
}

/* --- the current interval ------------------------------------------------- */

static const char *name_of(void *reader, uint16_t origin, uint32_t pid)
{
	return reader_process(reader, origin, pid);
}

static int begin(struct sampler *s, uint64_t number)
{
	struct group_options g = {
		.key_count = 1,
		.measures = UINT32_C(1) << MEASURE_Q2C |
			    UINT32_C(1) << MEASURE_TOTAL,
		.interval = s->o.interval,
		.name = name_of,
		/* only for name_of() */
		.name_ctx = (void *)(uintptr_t)s->o.reader,
		.cgroups = reader_cgroups(s->o.reader),
	};
	int err = 0;

	s->now = sample_new();
	if (!s->now)
		return -ENOMEM;
	s->now->number = number;
	for (unsigned int i = 0; !err && i < s->o.key_count; i++) {
		g.keys[0] = s->o.keys[i];
		err = group_new(&s->groups[i], &g);
	}
	return err;
}

static int add_tables(struct sampler *s)
{
	struct values names = { .reader = s->o.reader,
				.for_people = s->o.for_people };
	int err = 0;

	for (unsigned int i = 0; !err && i < s->o.key_count; i++) {
		names.group = s->groups[i];
		err = group_end(s->groups[i]);
		if (!err)
			err = sample_add_table(s->now, s->groups[i],
					       s->o.keys[i], &names);
	}
	return err;
}

/* moves the current interval, if any, to pending */
static int finish(struct sampler *s)
{
	int err;

	if (!s->now)
		return 0;
	sample_times(&s->now->times, &s->times);
	err = add_tables(s);
	free_groups(s);
	if (s->count == PENDING)
		sample_free(take_oldest(s));
	s->pending[(s->head + s->count++) % PENDING] = s->now;
	s->now = NULL;
	return err;
}

/* --- I/Os ----------------------------------------------------------------- */

/* not without a Q, unless the trace has no Q at all */
static inline bool is_measured(struct sampler *s, const struct io *io)
{
	s->any_q |= io->birth == 'Q';
	return !io->gap && (!s->any_q || io->birth == 'Q');
}

static struct sample_sum *sum_of(struct sample *now, const struct io *io)
{
	switch (group_op_of(io)) {
	case GROUP_READ:
		return &now->read;
	case GROUP_WRITE:
		return &now->write;
	default:
		return io->op == IO_APPEND ? &now->write : &now->rest;
	}
}

static void count_flush(struct sample_flush *f, const struct io *io)
{
	f->count++;
	f->measured += !io->gap;
	f->time += io->gap ? 0 : io->total;
}

static void count_sum(struct sample_sum *sum, const struct io *io)
{
	sum->ios++;
	sum->bytes += group_moves_data(io) ? io->bytes : 0;
}

static int count(struct sampler *s, const struct io *io)
{
	int err = 0;

	if (group_op_of(io) == GROUP_FLUSH)
		count_flush(&s->now->flush_ios, io);
	else
		count_sum(sum_of(s->now, io), io);
	s->now->errors += io->error != 0;
	if (is_measured(s, io))
		err = histogram_add(&s->times, io->total);
	for (unsigned int i = 0; i < s->o.key_count; i++)
		err |= group_add(s->groups[i], io, io->bytes);
	return err;
}

/* Makes the interval of end the current one.  Late I/Os count in the current
 * interval. */
static int reach(struct sampler *s, uint64_t end)
{
	uint64_t number = (end - s->o.from) / s->o.interval;
	int err = 0;

	if (LIKELY(s->now && number <= s->now->number))
		return 0;
	err = finish(s);
	return err ? err : begin(s, number);
}

static COLD int add_open(struct sampler *s, const struct io *io)
{
	struct depth_span span;
	uint64_t until;

	if (io->ended != IO_ENDED_OPEN || !at_device(io, &span))
		return 0;
	until = paces_until(&s->paces, s->o.reader, io, &span);
	if (until < span.to)
		series_doubt(s->series, until);
	return series_add_request(s->series, span.from, until);
}

/* the times at the device before the request was requeued */
static COLD int add_stays(struct sampler *s, const struct io_stay *stay)
{
	int err = 0;

	for (; stay; stay = stay->before)
		err |= series_add_request(s->series, stay->from, stay->to);
	return err;
}

/* whether its time at the device is unknown, or may be another's */
static bool is_doubtful(const struct sampler *s, const struct io *io)
{
	return at_device_given_up(io) || coverage_is_loose(io) ||
	       (!io->sure && s->o.ios && ios_ghosts(s->o.ios, io->disk));
}

int sampler_add(struct sampler *s, const struct io *io, bool in_window)
{
	uint64_t end = io->time + io->total;
	struct depth_span span;
	int err = UNLIKELY(io->stays) ? add_stays(s, io->stays) : 0;

	if (UNLIKELY(!io->sure || !io_completed(io)) && is_doubtful(s, io))
		series_doubt_span(s->series, io->time, io_over(io));
	if (UNLIKELY(!io_completed(io)))
		return err | add_open(s, io);
	if (at_device(io, &span))
		err |= paces_add(&s->paces, io, &span) |
		      series_add_request(s->series, span.from, span.to);
	if (!in_window || end < s->o.from || io->link == IO_SPLIT)
		return err;
	err |= reach(s, end);
	if (err)
		return err;
	if (io->kind == IO_FLUSH) {
		count_flush(&s->now->flush_requests, io);
		return 0;
	}
	return count(s, io) | series_add(s->series, end, IO_NONE, 0, false);
}

/* --- samples -------------------------------------------------------------- */

static void set_lost(struct sampler *s, struct sample *sample)
{
	struct loss loss;

	reader_loss(s->o.reader, READER_ALL, &loss);
	sample->lost = loss.missing;
	sample->newly_lost = loss.missing - s->lost;
	s->lost = loss.missing;
}

/* the sample of a row of series; makes one for an interval without I/Os */
static int make_sample(struct sampler *s, const struct series_row *row,
		       struct sample **sample)
{
	uint64_t number = (row->depth.from - s->o.from) / s->o.interval;
	int err = 0;

	if (s->now && s->now->number <= number)
		err = finish(s);
	if (err)
		return err;
	while (s->count && oldest(s)->number < number)
		sample_free(take_oldest(s));
	if (s->count && oldest(s)->number == number)
		*sample = take_oldest(s);
	else
		*sample = sample_new();
	if (!*sample)
		return -ENOMEM;
	(*sample)->number = number;
	(*sample)->depth = row->depth;
	set_lost(s, *sample);
	return 0;
}

static int got_row(struct sampler *s, int got, const struct series_row *row,
		   struct sample **sample)
{
	int err;

	if (got != 1)
		return got;
	err = make_sample(s, row, sample);
	return err ? err : 1;
}

int sampler_next(struct sampler *s, uint64_t settled, uint64_t now,
		 struct sample **sample)
{
	struct series_row row;

	return got_row(s, series_next(s->series, settled, now, &row), &row,
		       sample);
}

int sampler_last(struct sampler *s, uint64_t end, struct sample **sample)
{
	struct series_row row;

	return got_row(s, series_last(s->series, end, &row), &row, sample);
}
