/* SPDX-License-Identifier: GPL-2.0-only */
/* A flight recorder; see recorder.h. */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "base/time.h"
#include "capture/cpus.h"
#include "capture/notes.h"
#include "capture/reporter.h"
#include "capture/session.h"
#include "capture/sink.h"
#include "capture/to/chunks.h"
#include "capture/to/sink_ring.h"
#include "stat/trigger.h"
#include "tools/blktrace/dumps.h"
#include "tools/blktrace/options.h"
#include "tools/blktrace/recorder.h"
#include "tools/blktrace/watch.h"

enum { END_MS = 5000 };		/* to finish dumps */

struct recorder {
	const struct options *o;
	const struct session *session;
	const struct run_cards *cards;
	struct cgroup_names *cgroups;
	const struct capture_reporter *reporter;
	struct sink *sink;
	struct watch *watch;
	struct dumps *dumps;
	int signals;
};

static uint64_t dropped(void *ctx)
{
	const struct recorder *r = ctx;
	uint64_t events, bytes, drops;

	session_sums(r->session, &events, &bytes, &drops);
	return drops;
}

static void fired(void *ctx, const struct watch_event *e)
{
	struct recorder *r = ctx;

	dumps_fire(r->dumps, e);
}

static void seen(void *ctx, uint64_t time)
{
	struct recorder *r = ctx;

	dumps_seen(r->dumps, time);
}

/* --- life ----------------------------------------------------------------- */

static int report(const struct recorder *r, int err)
{
	if (err)
		reporter_write(r->reporter, "the flight recorder cannot be"
			       " started: %s", strerror(-err));
	return err;
}

static int open_signals(struct recorder *r)
{
	sigset_t usr1;

	sigemptyset(&usr1);
	sigaddset(&usr1, SIGUSR1);
	sigprocmask(SIG_BLOCK, &usr1, NULL);
	r->signals = signalfd(-1, &usr1, SFD_NONBLOCK | SFD_CLOEXEC);
	return r->signals < 0 ? -errno : 0;
}

static int open_sink(struct recorder *r)
{
	const struct sink_ring_options o = {
		.size = r->o->ring.size,
		.time = r->o->ring.time,
		.level = r->o->level,
		.pack = r->o->pack,
		.lanes = session_device_count(r->session) *
			 session_cpus(r->session)->count,
		.now = notes_stamp_now,
		.reporter = r->reporter,
	};

	return sink_ring_new(&r->sink, &o);
}

static int start_dumps(struct recorder *r)
{
	const struct dumps_options o = {
		.ring = r->sink,
		.directory = r->o->directory,
		.level = r->o->level,
		.pack = r->o->pack,
		.before = r->o->before,
		.after = r->o->after,
		.every = r->o->every,
		.most = r->o->keep ? 0 : r->o->max_dumps,
		.keep = r->o->keep,
		.now = notes_stamp_now,
		.cards = r->cards,
		.dropped = dropped,
		.ctx = r,
		.reporter = r->reporter,
	};

	return dumps_start(&r->dumps, &o);
}

int recorder_new(struct recorder **out, const struct options *o,
		 const struct session *s, const struct run_cards *cards,
		 struct cgroup_names *cgroups,
		 const struct capture_reporter *rep)
{
	struct recorder *r = calloc(1, sizeof(*r));
	int err;

	if (!r)
		return -ENOMEM;
	r->o = o;
	r->session = s;
	r->cards = cards;
	r->cgroups = cgroups;
	r->reporter = rep;
	err = report(r, open_signals(r));
	if (!err)
		err = open_sink(r);
	if (!err)
		err = start_dumps(r);
	*out = r;
	return err;
}

struct sink *recorder_sink(const struct recorder *r)
{
	return r->sink;
}

int recorder_start(struct recorder *r)
{
	const struct watch_options o = {
		.chunks = sink_ring_chunks(r->sink),
		.triggers = r->o->ring.triggers,
		.count = r->o->ring.trigger_count,
		.signals = r->signals,
		.cgroups = r->cgroups,
		.begin = time_now(),
		.fired = fired,
		.seen = seen,
		.ctx = r,
	};

	return report(r, watch_start(&r->watch, &o));
}

/* --- the end -------------------------------------------------------------- */

/* Dumps the end of the run, if --on=exit requests it. */
static void fire_exit(struct recorder *r)
{
	for (size_t i = 0; i < r->o->ring.trigger_count; i++)
		if (trigger_wants_exit(r->o->ring.triggers[i]))
			dumps_fire(r->dumps, &(struct watch_event){
				.trigger = trigger_text(r->o->ring.triggers[i]),
				.value = "", .time = time_now() });
}

static void report_left_out(const struct recorder *r)
{
	const struct chunks *c = sink_ring_chunks(r->sink);
	unsigned long long sum = 0;

	for (unsigned int i = 0; i < c->lane_count; i++)
		sum += c->lanes[i]->left_out;
	if (sum)
		reporter_write(r->reporter, "%llu events had no place in the"
			       " ring", sum);
}

int recorder_end(struct recorder *r)
{
	int err = 0;

	if (!r)
		return 0;
	if (r->watch) {
		watch_end(r->watch);
		report_left_out(r);
		fire_exit(r);
	}
	if (r->dumps)
		err = dumps_end(r->dumps, END_MS);
	if (err == -ETIMEDOUT)
		return err;
	if (r->sink)
		r->sink->ops->free(r->sink);
	if (r->signals > 0)
		close(r->signals);
	free(r);
	return err;
}
