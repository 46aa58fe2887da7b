/* SPDX-License-Identifier: GPL-2.0-only */
/* Traces to samples; see feed.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "base/hint.h"
#include "base/msg.h"
#include "base/time.h"
#include "blktrace.h"
#include "capture/cgroup_names.h"
#include "capture/cgroup_tree.h"
#include "file/location.h"
#include "record/record.h"
#include "request/io.h"
#include "request/ios.h"
#include "run/cgroups.h"
#include "run/reader.h"
#include "tools/blktop/feed.h"
#include "tools/blktop/options.h"
#include "tools/blktop/past.h"

enum {
	LOOK = 256,		/* I/Os between two looks at the clock */
	QUIET_MS = 100,		/* how often a silent pipe is reported */
	WAIT_MS = 20,		/* longest wait between looks at the clock */
	/* how many intervals a row is delayed by: few, where someone may be
	 * watching; many make it exact */
	WAIT_LIVE = 1, WAIT_FILE = 63,
};

static void check(int err)
{
	if (err)
		msg_die("out of memory");
}

/* --- cgroups of this machine ---------------------------------------------- */

/* They cost 8 bytes a record, and a kernel setting. */
static bool needs_cgroups(const struct top_options *o)
{
	return o->by == GROUP_CGROUP ||
	       (o->where_text && strstr(o->where_text, "cgroup"));
}

/* Without a cgroup tree, ids are shown. */
static void follow_cgroups(struct feed *f)
{
	struct cgroup_tree tree;

	if (!cgroup_tree_find(&tree, NULL))
		check(cgroup_names_start(&f->cgroups, &tree));
}

/* passes new names to the reader */
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

/* reads blktrace from standard input */
static void trace(struct feed *f, struct traces_options *reading)
{
	static const char *const input[] = { "-" };
	bool cgroups = needs_cgroups(f->o);
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

/* I/Os that come one by one may take long: look at the clock after each. */
static void on_idle(void *feed)
{
	struct feed *f = feed;

	f->waited = true;
}

static void open_traces(struct feed *f)
{
	struct traces_options reading = {
		.directory = f->o->directory,
		.names = f->o->inputs,
		.count = (size_t)f->o->input_count,
		.window = f->o->window,
		.quiet_ms = QUIET_MS,
		.wait_ms = WAIT_MS,
		.idle = on_idle,
		.ctx = f,
	};

	if (f->o->live)
		trace(f, &reading);
	if (!traces_open(&f->in, &reading))
		exit(1);
	name_cgroups(f);
}

/* --- in flight ------------------------------------------------------------ */

static uint64_t end_of_interval(const struct feed *f, uint64_t number)
{
	uint64_t end;

	if (__builtin_mul_overflow(number + 1, f->o->interval, &end) ||
	    __builtin_add_overflow(end, f->o->window.start, &end))
		return UINT64_MAX;
	return end;
}

static void look(const struct feed *f, uint64_t now, struct late *late)
{
	struct outstanding o = { .ios = 0 };
	const struct io *io;
	uint32_t at = 0;

	while (ios_open_now(f->in.ios, &at, &io))
		outstanding_add(&o, io, now, f->any_q);
	outstanding_late(&o, f->in.reader, late);
}

/* a live input's time: its last event's, plus the silence */
static uint64_t moment_of(const struct feed *f)
{
	uint64_t time = ios_time(f->in.ios), moment;

	if (!f->events || f->events != ios_events(f->in.ios) ||
	    __builtin_add_overflow(time, time_now() - f->heard, &moment))
		return time;
	return moment;
}

void feed_late(const struct feed *f, struct late *late)
{
	look(f, moment_of(f), late);
}

static void set_late(struct feed *f, uint64_t number, struct outstanding *o)
{
	struct feed_late *l = &f->late[number % FEED_LATE];

	l->number = number + 1;
	outstanding_late(o, f->in.reader, &l->late);
}

/* Ends the intervals before time.  Of a recorded trace, I/Os open now were open
 * at their ends, as no event came since. */
static COLD void pass_boundaries(struct feed *f, uint64_t time)
{
	uint64_t first = (time - f->o->window.start - 1) / f->o->interval;

	if (f->reached + FEED_LATE < first)
		f->reached = first - FEED_LATE;
	for (; !f->live && f->reached < first; f->reached++) {
		struct feed_late *l = &f->late[f->reached % FEED_LATE];

		l->number = f->reached + 1;
		look(f, end_of_interval(f, f->reached), &l->late);
	}
	f->reached = first;
	f->boundary = end_of_interval(f, first);
}

/* An I/O open at the end of the trace is open at the ends of all remaining
 * intervals. */
static COLD void add_left(struct feed *f, const struct io *io)
{
	uint64_t end = ios_end(f->in.ios), number = f->reached;

	if (!f->left)
		f->left = calloc(FEED_LATE, sizeof(*f->left));
	check(f->left ? 0 : -ENOMEM);
	for (unsigned int i = 0; i < FEED_LATE; i++, number++) {
		uint64_t to = end_of_interval(f, number);

		outstanding_add(&f->left[i], io, to < end ? to : end,
				f->any_q);
		if (to >= end)
			break;
	}
}

static void settle_left(struct feed *f)
{
	for (unsigned int i = 0; f->left && i < FEED_LATE; i++)
		if (f->left[i].ios)
			set_late(f, f->reached + i, &f->left[i]);
	free(f->left);
	f->left = NULL;
}

/* call before the sample's time is shifted */
static void add_late(const struct feed *f, struct sample *s)
{
	const struct feed_late *l = &f->late[s->number % FEED_LATE];

	if (l->number == s->number + 1)
		s->late = l->late;
	else
		look(f, f->live ? moment_of(f) : s->depth.to, &s->late);
}

/* --- events --------------------------------------------------------------- */

static void on_event(void *feed, const struct event *ev)
{
	struct feed *f = feed;

	if (UNLIKELY(ev->time > f->boundary))
		pass_boundaries(f, ev->time);
	f->any_q |= event_number(ev) == BLK_TA_QUEUE && !event_is_note(ev);
	if (f->past)
		past_add(f->past, ev);
}

static void on_gap(void *feed, uint16_t origin, uint32_t device, bool begins)
{
	const struct feed *f = feed;

	if (f->past)
		past_gap(f->past, origin, device, begins);
}

static void watch(struct feed *f)
{
	f->late = calloc(FEED_LATE, sizeof(*f->late));
	check(f->late ? 0 : -ENOMEM);
	f->boundary = end_of_interval(f, 0);
	f->watcher = (struct ios_watcher){ on_event, on_gap, f };
	ios_watch_events(f->in.ios, &f->watcher);
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
	s.ios = f->in.ios;
	s.filter = &f->filter;
	check(sampler_new(&f->sampler, &s));
	watch(f);
	feed_set_where(f, o->where);
}

void feed_keep_past(struct feed *f)
{
	f->past = past_new(PAST_BLOCKS);
	check(f->past ? 0 : -ENOMEM);
}

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
	free(f->late);
	free(f->left);
	return tracer_stop(&f->tracer);
}

/* --- I/Os ----------------------------------------------------------------- */

/* Finished intervals are returned before an I/O of a later one is added. */
static int before_io(struct feed *f, struct sample **sample)
{
	uint64_t settled = f->live ? ios_settled(f->in.ios) :
				     ios_oldest(f->in.ios);
	uint64_t now = ios_time(f->in.ios), over = io_over(f->io);

	if (f->io->time < settled)
		settled = f->io->time;
	if (over > now)
		now = over;
	return sampler_next(f->sampler, settled, now, sample);
}

static int add_io(struct feed *f)
{
	const struct io *io = f->io;

	f->io = NULL;
	if (io->ended == IO_ENDED_OPEN && !io->later)
		add_left(f, io);
	if (!filter_passes(&f->filter, io, ios_time(f->in.ios)))
		return 0;
	return sampler_add(f->sampler, io,
			   io_in_window(io, &f->o->window));
}

/* 1: a sample; 0: the I/O is added */
static int take_io(struct feed *f, struct sample **sample)
{
	int got = before_io(f, sample);

	check(got < 0);
	if (got) {
		add_late(f, *sample);
		return 1;
	}
	check(add_io(f));
	return 0;
}

/* --- silence and the end -------------------------------------------------- */

/* No event yet.  A capture starts with the time of day, a note: it shows that
 * tracing works. */
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

/* A trace's time starts at its first event; blank intervals were before. */
static int after_blank(const struct feed *f, int got, struct sample *s)
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

/* No earlier event can follow the last one, so the trace's time advances with
 * the silence. */
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
	if (got)
		add_late(f, *sample);
	return got ? after_blank(f, 1, *sample) : -EAGAIN;
}

static int take_last(struct feed *f, struct sample **sample)
{
	int got;

	settle_left(f);
	got = sampler_last(f->sampler, ios_end(f->in.ios), sample);
	check(got < 0);
	if (got)
		add_late(f, *sample);
	return after_blank(f, got, *sample);
}

int feed_next(struct feed *f, struct sample **sample)
{
	uint64_t until = f->patience ? time_now() + f->patience : UINT64_MAX;
	unsigned int left = LOOK;

	while (!f->over) {
		int got;

		if (f->io && take_io(f, sample))
			return after_blank(f, 1, *sample);
		if (UNLIKELY(*f->stop)) {
			f->over = true;
			break;
		}
		got = traces_next_io(&f->in, &f->io);
		if (LIKELY(got == 1 && !f->waited && --left))
			continue;
		left = LOOK;
		f->waited = false;
		name_cgroups(f);
		if (got != 1)
			f->io = NULL;
		if (got == -EAGAIN)
			return on_silence(f, sample);
		f->over = !got;
		if (got < 0 && got != -EINTR)
			return -EIO;
		if (!f->over && time_now() > until)
			return -EAGAIN;
	}
	return take_last(f, sample);
}
