/* SPDX-License-Identifier: GPL-2.0-only */
/* The watcher of a flight recorder; see watch.h. */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "base/bracket.h"
#include "base/hash.h"
#include "base/hint.h"
#include "base/thread.h"
#include "base/time.h"
#include "capture/cgroup_names.h"
#include "capture/to/chunk_reader.h"
#include "capture/to/chunks.h"
#include "expr/matcher.h"
#include "record/record.h"
#include "request/io.h"
#include "request/joiner.h"
#include "run/names.h"
#include "stat/trigger.h"
#include "tools/blktrace/watch.h"

/* --- ordered -------------------------------------------------------------- */

/*
 * A ring's events in order of time, while it is written.  An event is returned
 * once no CPU can have an older one: each has a later one, or has all events
 * before that time in chunks.  So nothing waits for a clock, and nothing is
 * copied.
 */

struct chunk_lane;		/* capture/to/chunks.h */
struct chunks;
struct ordered_lane;

struct ordered {
	struct chunks *chunks;
	const struct layout *forms[2];	/* of versions 7 and 8 */
	struct ordered_lane *lanes;	/* by number in chunks */
	struct bracket bracket;
	bool given;		/* the winner's front has been returned */
	struct event event;
	uint64_t blind;		/* ns unread; sum of all skips */
	/* of the last event returned: */
	const struct chunk_lane *lane;
	bool gap;		/* events of its lane are missing before it */
};

enum { ACTION_8 = 32 };		/* its offset in version 8 */

struct ordered_lane {
	struct chunk_reader from;
	const uint8_t *at;	/* its front */
	size_t len;		/* bytes from there on; 0: none */
	uint32_t sequence;	/* of the last event */
	bool begun;		/* had an event */
	bool gap;		/* before its front */
};

/* begin: ns, start of tracing.  0 or -ENOMEM; free o in any case. */
static int ordered_init(struct ordered *o, struct chunks *c, uint64_t begin)
{
	*o = (struct ordered){
		.chunks = c,
		.forms = { record_layout(BLK_VERSION_7, 0),
			   record_layout(BLK_VERSION_8, 0) },
	};
	o->lanes = calloc(c->lane_count + 1, sizeof(*o->lanes));
	if (!o->lanes || bracket_init(&o->bracket, c->lane_count))
		return -ENOMEM;
	for (unsigned int i = 0; i < c->lane_count; i++) {
		o->lanes[i].from = (struct chunk_reader){
			.chunks = c, .lane = c->lanes[i], .last = begin,
			.along = true };
		bracket_set(&o->bracket, i, 0, i);
	}
	return 0;
}

static void ordered_free(struct ordered *o)
{
	for (unsigned int i = 0; o->lanes && i < o->chunks->lane_count; i++)
		chunk_reader_end(&o->lanes[i].from);
	free(o->lanes);
	bracket_free(&o->bracket);
}

/* Chunks have gone unread. */
static void note_skip(struct ordered *o, struct ordered_lane *l)
{
	if (l->from.skipped_to > l->from.skipped_from)
		o->blind += l->from.skipped_to - l->from.skipped_from;
	l->from.skipped = false;
	l->gap = true;
}

/* Notes are returned at once, in any order. */
static uint64_t front_time(const struct ordered_lane *l)
{
	bool is_8 = get32(l->at) == (BLK_MAGIC | BLK_VERSION_8);
	uint32_t action = get32(is_8 ? l->at + ACTION_8 :
				       FIELD(l->at, action));

	return action & BLK_TC_ACT(BLK_TC_NOTIFY) ? 0 :
	       get64(FIELD(l->at, time));
}

/* Reads the lane's drained time before its records, so that records that come
 * in between are seen. */
static void look_again(struct ordered *o, uint32_t n)
{
	struct ordered_lane *l = &o->lanes[n];
	uint64_t time = atomic_load_explicit(&l->from.lane->drained,
					     memory_order_acquire);

	if (!l->len)
		l->len = chunk_reader_look(&l->from, &l->at);
	if (l->from.skipped)
		note_skip(o, l);
	if (l->len)
		time = front_time(l);
	bracket_set(&o->bracket, n, time, n);
}

static const struct event *give(struct ordered *o, struct ordered_lane *l)
{
	bool is_8 = get32(l->at) == (BLK_MAGIC | BLK_VERSION_8);
	const struct layout *form = o->forms[is_8];
	struct event *ev = &o->event;

	record_decode(form, false, l->at, ev);
	ev->payload = l->at + form->size;
	ev->lane = NULL;
	ev->origin = 0;
	o->lane = l->from.lane;
	o->given = true;
	o->gap = false;
	if (event_is_note(ev))
		return ev;
	o->gap = l->gap || (l->begun && ev->sequence != l->sequence + 1);
	l->sequence = ev->sequence;
	l->begun = true;
	l->gap = false;
	return ev;
}

/* Passes the front that was returned. */
static void leave_behind(struct ordered *o)
{
	uint32_t n = bracket_winner(&o->bracket);
	struct ordered_lane *l = &o->lanes[n];
	size_t size = (size_t)(o->event.payload - l->at) + o->event.pdu_len;

	chunk_reader_take(&l->from, size);
	l->at += size;
	l->len -= size;
	o->given = false;
	look_again(o, n);
}

/* The next event, valid until the next call; NULL: none now. */
static const struct event *ordered_next(struct ordered *o)
{
	if (o->given)
		leave_behind(o);
	for (;;) {
		uint32_t n = bracket_winner(&o->bracket);
		uint64_t time = o->bracket.times[n];

		if (o->lanes[n].len)
			return give(o, &o->lanes[n]);
		look_again(o, n);
		if (!o->lanes[n].len && o->bracket.times[n] == time)
			return NULL;
	}
}

/* ns: after a NULL, all earlier events have been returned; UINT64_MAX: all. */
static uint64_t ordered_time(const struct ordered *o)
{
	return o->bracket.times[bracket_winner(&o->bracket)];
}

/* --- watch ---------------------------------------------------------------- */

#define TICK (250 * NS_PER_MS)	/* between checks of open I/Os */
#define PAUSE (100 * NS_PER_MS)

enum { NICE = 10, LANE_NAMED = 1 };

/* a quarter of other programs' bounds, to stay small */
#define BOUNDS ((struct joiner_bounds){ 65536, 4096, 1024, 65536, 256, 64 })

struct watch {
	struct watch_options o;
	pthread_t thread;
	atomic_bool end;
	struct ordered events;
	struct joiner *joiner;
	bool any_open;		/* a trigger is about open I/Os */
	uint64_t ticked;	/* ns of trace time */
	struct names processes;
	struct hash devices;	/* by number: the name, the lane's */
	uint8_t *named;		/* by lane: its device is in devices */
};

/* --- names ---------------------------------------------------------------- */

static const char *device_name(void *ctx, const struct io *io)
{
	const struct watch *w = ctx;

	return hash_get(&w->devices, io->device);
}

static const char *process_name(void *ctx, const struct io *io)
{
	const struct watch *w = ctx;

	return names_get(&w->processes, 0, io->pid);
}

static const char *cgroup_name(void *watch, const struct io *io)
{
	const struct watch *w = watch;

	return io->cgroup ? cgroup_names_get(w->o.cgroups, io->cgroup) : NULL;
}

static void learn_name(struct watch *w, const struct event *ev)
{
	if (event_number(ev) == BLK_TN_PROCESS)
		names_learn(&w->processes, 0, ev->pid,
			    (const char *)ev->payload, ev->pdu_len);
}

/* Without memory, the device has no name. */
static COLD void learn_device(struct watch *w, const struct event *ev)
{
	w->named[w->events.lane->number] = LANE_NAMED;
	hash_put(&w->devices, ev->device, (void *)w->events.lane->name);
}

/* --- triggers ------------------------------------------------------------- */

static void fire(struct watch *w, const struct trigger *t, uint64_t time,
		 const struct io *io)
{
	char value[TRIGGER_VALUE];

	trigger_value(t, value);
	w->o.fired(w->o.ctx, &(struct watch_event){
		.trigger = trigger_text(t), .value = value, .time = time,
		.io = io, .device = io ? device_name(w, io) : NULL,
		.process = io ? process_name(w, io) : NULL,
		.blind = w->events.blind });
}

static void ask_of(struct watch *w, const struct io *io, uint64_t now)
{
	for (size_t i = 0; i < w->o.count; i++)
		if (UNLIKELY(trigger_io(w->o.triggers[i], io)))
			fire(w, w->o.triggers[i], now, io);
}

static void ask_of_open(struct watch *w, uint64_t now)
{
	const struct io *io;
	uint32_t at = 0;

	while (joiner_open(w->joiner, &at, &io))
		for (size_t i = 0; i < w->o.count; i++)
			if (UNLIKELY(trigger_open(w->o.triggers[i], io, now)))
				fire(w, w->o.triggers[i], now, io);
}

/* All events before that time have been joined. */
static COLD void tick(struct watch *w, uint64_t now)
{
	w->ticked = now;
	if (w->any_open)
		ask_of_open(w, now);
	for (size_t i = 0; i < w->o.count; i++)
		if (trigger_time(w->o.triggers[i], now))
			fire(w, w->o.triggers[i], now, NULL);
	w->o.seen(w->o.ctx, now);
}

/* --- events --------------------------------------------------------------- */

static void see(struct watch *w, const struct event *ev)
{
	const struct io *io;

	if (UNLIKELY(event_is_note(ev))) {
		learn_name(w, ev);
		if (event_is_message(ev))
			joiner_event(w->joiner, ev);
		return;
	}
	if (UNLIKELY(!w->named[w->events.lane->number]))
		learn_device(w, ev);
	if (UNLIKELY(w->events.gap)) {
		joiner_gap(w->joiner, 0, ev->device, true);
		joiner_gap(w->joiner, 0, ev->device, false);
	}
	if (UNLIKELY(ev->time >= w->ticked + TICK))
		tick(w, ev->time);
	joiner_event(w->joiner, ev);
	while (joiner_next(w->joiner, &io))
		if (io->link != IO_SPLIT)
			ask_of(w, io, ev->time);
}

/* Several signals before a read count as one. */
static void look_for_signal(struct watch *w)
{
	struct signalfd_siginfo info;

	if (read(w->o.signals, &info, sizeof(info)) != sizeof(info))
		return;
	w->o.fired(w->o.ctx, &(struct watch_event){
		.trigger = "SIGUSR1", .value = "", .time = time_now(),
		.blind = w->events.blind });
}

/* Whether all lanes have ended. */
static bool see_all(struct watch *w)
{
	const struct event *ev;
	uint64_t now;

	while ((ev = ordered_next(&w->events)))
		see(w, ev);
	now = ordered_time(&w->events);
	if (now != UINT64_MAX && now >= w->ticked + TICK)
		tick(w, now);
	w->o.seen(w->o.ctx, now);
	return now == UINT64_MAX;
}

static void *watch_events(void *arg)
{
	struct watch *w = arg;
	const struct timespec pause = time_to_timespec(PAUSE);
	bool over = false;

	setpriority(PRIO_PROCESS, (id_t)gettid(), NICE);
	while (!over) {
		bool end = atomic_load(&w->end);

		look_for_signal(w);
		over = see_all(w) || end;
		if (!over)
			clock_nanosleep(CLOCK_MONOTONIC, 0, &pause, NULL);
	}
	return NULL;
}

/* --- life ----------------------------------------------------------------- */

static void watch_free(struct watch *w)
{
	ordered_free(&w->events);
	joiner_free(w->joiner);
	names_free(&w->processes);
	hash_free(&w->devices);
	free(w->named);
	free(w);
}

static void set_names(struct watch *w)
{
	const struct expr_names names = {
		.ctx = w, .device = device_name, .process = process_name,
		.cgroup = cgroup_name };

	for (size_t i = 0; i < w->o.count; i++) {
		trigger_set_names(w->o.triggers[i], &names);
		w->any_open |= trigger_wants_open(w->o.triggers[i]);
	}
}

int watch_start(struct watch **out, const struct watch_options *o)
{
	const struct joiner_bounds bounds = BOUNDS;
	struct watch *w = calloc(1, sizeof(*w));
	int err = w ? 0 : -ENOMEM;

	if (!w)
		return err;
	w->o = *o;
	w->ticked = o->begin;
	w->named = calloc(o->chunks->lane_count + 1, 1);
	err = ordered_init(&w->events, o->chunks, o->begin);
	if (!err)
		err = w->named ? joiner_new(&w->joiner, &bounds) : -ENOMEM;
	if (!err) {
		set_names(w);
		err = thread_start(&w->thread, watch_events, w);
	}
	if (err)
		watch_free(w);
	else
		*out = w;
	return err;
}

void watch_end(struct watch *w)
{
	if (!w)
		return;
	atomic_store(&w->end, true);
	pthread_join(w->thread, NULL);
	watch_free(w);
}
