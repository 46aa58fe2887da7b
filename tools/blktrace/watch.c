/* SPDX-License-Identifier: GPL-2.0-only */
/* The watcher of a flight recorder; see watch.h. */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/hint.h"
#include "base/thread.h"
#include "base/time.h"
#include "capture/cgroup_names.h"
#include "capture/to/chunks.h"
#include "expr/matcher.h"
#include "request/io.h"
#include "request/joiner.h"
#include "run/names.h"
#include "stat/trigger.h"
#include "tools/blktrace/ordered.h"
#include "tools/blktrace/watch.h"

#define TICK (250 * NS_PER_MS)	/* between two looks at what is open */
#define PAUSE (100 * NS_PER_MS)

enum { NICE = 10, LANE_NAMED = 1 };

/* a fourth of what others have: it is to stay small */
#define BOUNDS ((struct joiner_bounds){ 65536, 4096, 1024, 65536, 256, 64 })

struct watch {
	struct watch_options o;
	pthread_t thread;
	atomic_bool end;
	struct ordered events;
	struct joiner *joiner;
	bool any_open;		/* some trigger is about open ios */
	uint64_t ticked;	/* ns of trace time */
	struct names processes;
	struct hash devices;	/* by number: the name, the lane's */
	uint8_t *named;		/* by lane: its device is in there */
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

/* Without memory it stays without a name. */
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

/* Each is one, however many came before it was read. */
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
