/* SPDX-License-Identifier: GPL-2.0-only */
/* From names to samples; see feed.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/hint.h"
#include "base/msg.h"
#include "base/time.h"
#include "base/utf8.h"
#include "capture/cgroup_names.h"
#include "capture/cgroup_tree.h"
#include "request/io.h"
#include "request/ios.h"
#include "tools/blktop/feed.h"
#include "tools/blktop/options.h"
#include "tools/blktop/past.h"
#include "trace/cgroups.h"
#include "trace/location.h"
#include "trace/reader.h"

enum {
	LOOK = 256,		/* ios between two looks at the clock */
	QUIET_MS = 100,		/* how often one hears of a silent pipe */
	/* how long a row waits, in intervals: of a pipe people want to see it
	 * in time, of a file they want it exact */
	WAIT_LIVE = 1, WAIT_FILE = 63,
};

static void check(int err)
{
	if (err)
		msg_die("out of memory");
}

/* --- cgroups of this machine ---------------------------------------------- */

/* They cost 8 bytes a record, and a switch of the kernel's. */
static bool wants_cgroups(const struct top_options *o)
{
	return o->by == GROUP_CGROUP ||
	       (o->where_text && strstr(o->where_text, "cgroup"));
}

/* Without a tree of them there are ids. */
static void follow_cgroups(struct feed *f)
{
	struct cgroup_tree tree;

	if (!cgroup_tree_find(&tree, NULL))
		check(cgroup_names_start(&f->cgroups, &tree));
}

/* Names that have been learnt are the reader's from now on. */
static void name_cgroups(struct feed *f)
{
	char text[CGROUP_PATH];
	const char *path;
	uint64_t id;

	while ((path = cgroup_names_at(f->cgroups, f->named, &id))) {
		size_t len = utf8_clean(text, sizeof(text) - 1, path,
					strlen(path));

		text[len] = '\0';
		check(reader_name_cgroup(f->in.reader, 0, id, text));
		f->named++;
	}
}

/* --- opening -------------------------------------------------------------- */

/* what blktrace writes is standard input */
static void trace(struct feed *f, struct traces_options *reading)
{
	static const char *const input[] = { "-" };
	bool cgroups = wants_cgroups(f->o);
	int err = tracer_start(&f->tracer, f->o->inputs, f->o->input_count,
			       f->o->all_steps, cgroups);

	errno = -err;
	if (err)
		msg_die("blktrace:");
	if (cgroups)
		follow_cgroups(f);
	reading->directory = NULL;
	reading->names = input;
	reading->count = 1;
}

static void open_traces(struct feed *f)
{
	struct traces_options reading = {
		.directory = f->o->directory,
		.names = f->o->inputs,
		.count = (size_t)f->o->input_count,
		.window = f->o->window,
		.quiet_ms = QUIET_MS,
	};

	if (f->o->live)
		trace(f, &reading);
	if (!traces_open(&f->in, &reading))
		exit(1);
	name_cgroups(f);
}

void feed_open(struct feed *f, const struct top_options *o,
	       const enum group_key keys[], unsigned int key_count,
	       bool for_people, const volatile sig_atomic_t *stop)
{
	struct sampler_options s = {
		.key_count = key_count,
		.from = o->window.start,
		.interval = o->interval,
		.for_people = for_people,
	};

	*f = (struct feed){ .o = o, .stop = stop };
	open_traces(f);
	f->live = o->live;
	for (int i = 0; i < o->input_count; i++)
		f->live |= location_is_pipe(o->inputs[i]);
	memcpy(s.keys, keys, key_count * sizeof(*keys));
	s.wait = f->live ? WAIT_LIVE : WAIT_FILE;
	s.reader = f->in.reader;
	check(sampler_new(&f->sampler, &s));
	feed_set_where(f, o->where);
}

/* --- the last events ------------------------------------------------------ */

static void keep_event(void *ctx, const struct event *ev)
{
	past_add(ctx, ev);
}

static void keep_gap(void *ctx, uint16_t origin, uint32_t device, bool begins)
{
	past_gap(ctx, origin, device, begins);
}

void feed_keep_past(struct feed *f)
{
	f->past = past_new(PAST_BLOCKS);
	if (!f->past)
		msg_die("out of memory");
	f->watcher = (struct ios_watcher){ keep_event, keep_gap, f->past };
	ios_watch_events(f->in.ios, &f->watcher);
}

/* ------------------------------------------------------------------------- */

void feed_set_where(struct feed *f, struct expr *where)
{
	filter_init(&f->filter, UINT32_MAX, where, f->in.reader);
}

const char *feed_source(const struct feed *f)
{
	return f->o->live ? "live" : f->live ? "pipe" : "recorded";
}

bool feed_close(struct feed *f)
{
	sampler_free(f->sampler);
	traces_close(&f->in);
	past_free(f->past);
	cgroup_names_free(f->cgroups);
	return tracer_stop(&f->tracer);
}

/* --- one io --------------------------------------------------------------- */

/* Intervals that are over have to be taken before an io of a later one. */
static int before_io(struct feed *f, struct sample **sample)
{
	uint64_t settled = ios_oldest(f->in.ios), now = ios_time(f->in.ios);

	if (f->io->time < settled)
		settled = f->io->time;
	if (io_completed(f->io) && f->io->time + f->io->total > now)
		now = f->io->time + f->io->total;
	return sampler_next(f->sampler, settled, now, sample);
}

static int add_io(struct feed *f)
{
	const struct io *io = f->io;

	f->io = NULL;
	if (!io_completed(io) ||
	    !filter_passes(&f->filter, io, ios_time(f->in.ios)))
		return 0;
	return sampler_add(f->sampler, io,
			   io_in_window(io, &f->o->window) &&
			   filter_is_unit(false, io));
}

/* 1: a sample; 0: the io is added */
static int take_io(struct feed *f, struct sample **sample)
{
	int got = before_io(f, sample);

	check(got < 0);
	if (got)
		return 1;
	check(add_io(f));
	return 0;
}

/* --- silence and the end -------------------------------------------------- */

/* Nothing has happened yet.  What a capture begins with, the time of day, is
 * no event, but tells that there is one. */
static int before_events(struct feed *f, struct sample **sample)
{
	uint64_t interval = f->o->interval, now = time_now(), done, total;

	reader_progress(f->in.reader, &done, &total);
	if (!done || f->o->window.start)
		return -EAGAIN;
	if (!f->began)
		f->began = now;
	if ((now - f->began) / interval <= f->blank)
		return -EAGAIN;
	*sample = sample_new();
	check(*sample ? 0 : -ENOMEM);
	(*sample)->depth = (struct depth_row){
		.from = f->blank * interval,
		.to = (f->blank + 1) * interval, .exact = true,
	};
	(*sample)->number = f->blank++;
	return 1;
}

/* The time of a trace begins with its first event, ours may have before. */
static int behind_blank(const struct feed *f, int got, struct sample *s)
{
	uint64_t shift = f->blank * f->o->interval;

	if (got == 1 && f->blank) {
		s->number += f->blank;
		s->depth.from += shift;
		s->depth.to += shift;
	}
	return got;
}

uint64_t feed_event_time(const struct feed *f, uint64_t time)
{
	uint64_t shift = f->blank * f->o->interval;

	return time > shift ? time - shift : 0;
}

/*
 * A pipe is silent.  Its last event has been held for as long as an earlier one
 * may be late, so what comes now is later than that event by the silence.
 */
static int on_silence(struct feed *f, struct sample **sample)
{
	uint64_t events = ios_events(f->in.ios), now = time_now(), moment;
	int got = 0;

	if (!events)
		return before_events(f, sample);
	if (f->events != events) {
		f->events = events;
		f->heard = now - QUIET_MS * NS_PER_MS;
	}
	if (!__builtin_add_overflow(ios_time(f->in.ios), now - f->heard,
				    &moment))
		got = sampler_next(f->sampler, moment, moment, sample);
	check(got < 0);
	return got ? behind_blank(f, 1, *sample) : -EAGAIN;
}

/* when all that was read is over */
static uint64_t end_of(const struct feed *f)
{
	return reader_goes_on(f->in.reader) ? f->o->window.end :
					      ios_time(f->in.ios);
}

static int take_last(struct feed *f, struct sample **sample)
{
	int got = sampler_last(f->sampler, end_of(f), sample);

	check(got < 0);
	return behind_blank(f, got, *sample);
}

int feed_next(struct feed *f, struct sample **sample)
{
	uint64_t until = f->patience ? time_now() + f->patience : UINT64_MAX;
	unsigned int left = LOOK;

	while (!f->over) {
		int got;

		if (f->io && take_io(f, sample))
			return behind_blank(f, 1, *sample);
		if (UNLIKELY(*f->stop)) {
			f->over = true;
			break;
		}
		got = traces_next_io(&f->in, &f->io);
		if (LIKELY(got == 1 && --left))
			continue;
		left = LOOK;
		name_cgroups(f);
		if (got == 1 && time_now() > until)
			return -EAGAIN;
		if (got == 1)
			continue;
		f->io = NULL;
		if (got == -EAGAIN)
			return on_silence(f, sample);
		f->over = !got;
		if (got && got != -EINTR)
			return -EIO;
	}
	return take_last(f, sample);
}
