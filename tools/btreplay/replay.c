/* SPDX-License-Identifier: GPL-2.0-only */
/* One replay; see replay.h. */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/msg.h"
#include "replay/bunch_reader.h"
#include "tools/btreplay/barrier.h"
#include "tools/btreplay/bunch_log.h"
#include "tools/btreplay/calls.h"
#include "tools/btreplay/channel.h"
#include "tools/btreplay/fault.h"
#include "tools/btreplay/job.h"
#include "tools/btreplay/kind.h"
#include "tools/btreplay/options.h"
#include "tools/btreplay/order.h"
#include "tools/btreplay/replay.h"
#include "tools/btreplay/report.h"
#include "tools/btreplay/submitter.h"

/* --- reaper --------------------------------------------------------------- */

/* A channel's thread that takes completed I/Os from the kernel. */

struct reaper {
	struct channel *channel;
	atomic_bool *halt;	/* set if that fails */
};

enum { EVENTS = 64 };

/* Whether all I/Os have come back. */
static bool is_finished(struct channel *c)
{
	uint64_t back = atomic_load(&c->back);

	return back == c->o.expected ||
	       (atomic_load(&c->complete) && back == atomic_load(&c->sent));
}

/* The thread's function; its argument is a struct reaper. */
static void *reaper_run(void *reaper)
{
	struct reaper *r = reaper;
	struct channel *c = r->channel;
	struct io_event events[EVENTS];

	while (!is_finished(c)) {
		struct timespec t = { .tv_nsec = CHANNEL_LOOK };
		int got = io_getevents(c->context, 1, EVENTS, events, &t);

		if (got < 0 && got != -EINTR) {
			msg_warn("io_getevents failed: %s", strerror(-got));
			atomic_store(r->halt, true);
			return NULL;
		}
		/* orders our reads after the sender's writes */
		atomic_load(&c->sent);
		for (int i = 0; i < got; i++)
			channel_back(c, events[i].data, (long)events[i].res,
				     (long)events[i].res2);
		if (atomic_load(r->halt))
			channel_abandon(c);
	}
	channel_close(c);
	return NULL;
}

/* --- shared --------------------------------------------------------------- */

/* Shared by all replay files of a device. */

struct shared {
	struct order *order;	/* NULL: sends no flush */
	struct calls *calls;	/* NULL: makes no calls */
};

static void shared_stop(struct shared *s, unsigned int count);

static void shared_free(struct shared *s, unsigned int count);

/* Whether files of a device have I/Os sent by calls. */
static bool has_calls(const struct job *l, unsigned int target,
		      const struct replay_options *o)
{
	for (unsigned int i = 0; i < l->file_count; i++) {
		const struct job_file *f = &l->files[i];

		for (enum kind k = 0; f->target == target && k < KINDS; k++)
			if (f->scan.kinds[k].ios &&
			    kind_is_call(kind_sent_as(k, o)))
				return true;
	}
	return false;
}

static int open_one(struct shared *s, const struct job *l, unsigned int target,
		    const struct replay_options *o, const atomic_bool *halt)
{
	int err = order_read(&s->order, l, target, o, channel_release);

	if (err || !has_calls(l, target, o))
		return err;
	err = calls_start(&s->calls, l->targets[target].fd, channel_called,
			  halt);
	if (err)
		msg_warn("thread create failed: %s", strerror(-err));
	return err;
}

/* One per device of the job; NULL: failed, reported on stderr. */
static struct shared *shared_new(const struct job *l,
				 const struct replay_options *o,
				 const atomic_bool *halt)
{
	struct shared *s = calloc(l->target_count + 1, sizeof(*s));
	int err = 0;

	if (!s) {
		msg_warn("out of memory");
		return NULL;
	}
	for (unsigned int i = 0; !err && i < l->target_count; i++)
		err = open_one(&s[i], l, i, o, halt);
	if (!err)
		return s;
	shared_stop(s, l->target_count);
	shared_free(s, l->target_count);
	return NULL;
}

/* Starts an iteration of count devices. */
static void shared_begin(struct shared *s, unsigned int count)
{
	for (unsigned int i = 0; i < count; i++)
		if (s[i].order)
			order_begin(s[i].order);
}

/* Whether all ordered I/Os have come back. */
static bool shared_is_done(struct shared *s, unsigned int count)
{
	for (unsigned int i = 0; i < count; i++)
		if (s[i].order && !order_is_done(s[i].order))
			return false;
	return true;
}

/* ns, the last release of a held I/O; 0: none. */
static uint64_t shared_last(struct shared *s, unsigned int count)
{
	uint64_t last = 0;

	for (unsigned int i = 0; s && i < count; i++) {
		uint64_t one = s[i].order ? order_last(s[i].order) : 0;

		if (one > last)
			last = one;
	}
	return last;
}

/* Waits for the calls, and ends their threads; s may be NULL. */
static void shared_stop(struct shared *s, unsigned int count)
{
	for (unsigned int i = 0; s && i < count; i++) {
		calls_stop(s[i].calls);
		s[i].calls = NULL;
	}
}

static void shared_free(struct shared *s, unsigned int count)
{
	for (unsigned int i = 0; s && i < count; i++)
		order_free(s[i].order);
	free(s);
}

/* --- replay --------------------------------------------------------------- */

enum {
	BROKEN = 1,
	FAILED = 2,
	/* ns for all threads to prepare their first bunch before it is due */
	HEAD_START = 2000000,
	DRAIN_US = 500,		/* between checks of I/Os in flight */
};

/* a replay file with its two threads */
struct player {
	const struct job_file *file;
	struct channel channel;
	struct submitter submitter;
	struct reaper reaper;
	struct fault fault;
	struct bunch_log *log;	/* or NULL */
	bool has_channel;
	unsigned int threads;	/* started: 0, 1 (the reaper), or 2 */
	pthread_t submitting, reaping;
};

struct replay {
	const struct job *job;
	const struct replay_options *o;
	const atomic_bool *stop;	/* the user's */
	atomic_bool halt;	/* stops all threads: on the user's signal, or
				 * after a failure */
	struct barrier barrier;
	struct shared *shared;	/* of each target */
	struct player *players;
	unsigned int count;
	int status;
	unsigned int begun;	/* iterations */
	uint64_t length;	/* ns, sum of all iterations */
};

/* --- a player ------------------------------------------------------------ */

static int open_log(struct replay *r, struct player *player)
{
	const char *path = bunch_reader_path(player->file->reader);
	char *name;
	int err;

	if (r->o->verbose < 2)
		return 0;
	if (asprintf(&name, "%s.rep", path) < 0)
		return -ENOMEM;
	err = bunch_log_open(&player->log, name);
	if (err)
		msg_warn("Failed to open report %s: %s", name, strerror(-err));
	free(name);
	return err;
}

/* An iteration's I/Os that will come back. */
static uint64_t count_expected(const struct scan *s,
			       const struct replay_options *o)
{
	uint64_t ios = 0;

	for (enum kind k = 0; k < KINDS; k++)
		if (kind_sent_as(k, o) != KINDS)
			ios += s->kinds[k].ios - s->kinds_impossible[k];
	return ios;
}

static int init_channel(struct replay *r, struct player *player)
{
	const struct scan *s = &player->file->scan;
	const struct shared *shared = &r->shared[player->file->target];
	struct channel_options co = {
		.fd = r->job->targets[player->file->target].fd,
		.depth = r->o->depth,
		.write = r->o->write,
		.order = shared->order,
		.calls = shared->calls,
		.fault = &player->fault,
		.longest_read = s->longest_read,
		.longest_write = s->longest_write,
		.expected = count_expected(s, r->o) * r->o->iterations,
		.stop = &r->halt,
	};

	for (enum kind k = 0; k < KINDS; k++)
		co.sent_as[k] = kind_sent_as(k, r->o);
	return channel_init(&player->channel, &co);
}

static int open_channel(struct replay *r, struct player *player)
{
	const struct target *t = &r->job->targets[player->file->target];
	int err = init_channel(r, player);

	if (err == -EAGAIN)
		msg_warn("io_setup failed for %s: more than fs.aio-max-nr I/Os"
			 " in all: raise that, or use a --depth below %u",
			 t->node, r->o->depth);
	else if (err)
		msg_warn("io_setup failed for %s: %s", t->node, strerror(-err));
	player->has_channel = !err;
	return err;
}

static int init_threads(struct replay *r, struct player *player)
{
	const struct submitter_options fo = {
		.reader = player->file->reader,
		.channel = &player->channel,
		.barrier = &r->barrier,
		.log = player->log,
		.iterations = r->o->iterations,
		.cpu = player->file->cpu % r->o->cpus,
		.genesis = r->job->genesis,
		.factor = r->o->factor,
		.no_stalls = r->o->no_stalls,
		.spin_max = r->o->spin_max,
		.halt = &r->halt,
	};

	player->fault.node = r->job->targets[player->file->target].node;
	player->reaper = (struct reaper){ &player->channel, &r->halt };
	if (!submitter_init(&player->submitter, &fo))
		return 0;
	msg_warn("out of memory");
	return -ENOMEM;
}

static int start_thread(pthread_t *t, void *(*run)(void *), void *arg)
{
	int err = pthread_create(t, NULL, run, arg);

	if (err)
		msg_warn("thread create failed: %s", strerror(err));
	return -err;
}

/* The reaper first, so that no completed I/O waits for it. */
static int start_player(struct replay *r, struct player *player)
{
	int err = open_log(r, player);

	if (!err)
		err = open_channel(r, player);
	if (!err)
		err = init_threads(r, player);
	if (err)
		return err;
	err = start_thread(&player->reaping, reaper_run, &player->reaper);
	if (err)
		return err;
	player->threads = 1;
	err = start_thread(&player->submitting, submitter_run,
			   &player->submitter);
	player->threads += !err;
	return err;
}

static void join_player(struct player *player)
{
	if (player->threads > 1)
		pthread_join(player->submitting, NULL);
	atomic_store(&player->channel.complete, true);
	if (player->threads)
		pthread_join(player->reaping, NULL);
}

static void end_player(struct replay *r, struct player *player)
{
	int err;

	if (player->has_channel)
		channel_free(&player->channel);
	err = bunch_log_close(player->log);
	if (!err)
		return;
	msg_warn("%s.rep: %s", bunch_reader_path(player->file->reader),
		 strerror(-err));
	r->status = FAILED;
}

/* --- all players --------------------------------------------------------- */

/* With signals blocked, which the main thread takes. */
static int start_players(struct replay *r)
{
	sigset_t all, old;
	int err = 0;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	r->shared = shared_new(r->job, r->o, &r->halt);
	if (!r->shared)
		err = -ENOMEM;
	for (unsigned int i = 0; !err && i < r->count; i++) {
		r->players[i].file = &r->job->files[i];
		err = start_player(r, &r->players[i]);
	}
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return err;
}

/* Until that many have arrived at the barrier; false: halted. */
static bool wait_for(struct replay *r, unsigned int arrived)
{
	while (!barrier_wait_arrived(&r->barrier, arrived)) {
		if (atomic_load(r->stop))
			atomic_store(&r->halt, true);
		if (atomic_load(&r->halt))
			return false;
	}
	return !atomic_load(&r->halt);
}

/* Adds the last iteration's length, if there was one. */
static void add_length(struct replay *r)
{
	if (!r->begun)
		return;
	barrier_add(&r->barrier, shared_last(r->shared, r->job->target_count));
	r->length += barrier_length(&r->barrier);
}

/* Until an iteration's ordered I/Os have come back. */
static bool wait_for_order(struct replay *r)
{
	while (r->begun && !shared_is_done(r->shared, r->job->target_count)) {
		if (atomic_load(r->stop))
			atomic_store(&r->halt, true);
		if (atomic_load(&r->halt))
			return false;
		usleep(DRAIN_US);
	}
	return true;
}

static void iterate(struct replay *r)
{
	for (unsigned int i = 1; i <= r->o->iterations; i++) {
		if (!wait_for(r, i * r->count) || !wait_for_order(r))
			return;
		add_length(r);
		shared_begin(r->shared, r->job->target_count);
		barrier_open(&r->barrier, pace_now() + HEAD_START);
		r->begun = i;
		if (r->o->verbose)
			fputc('I', stderr);
	}
	wait_for(r, (r->o->iterations + 1) * r->count);
}

/* Joins all threads before freeing, as a thread may send other files' I/Os. */
static void end_players(struct replay *r)
{
	for (unsigned int i = 0; i < r->count; i++)
		join_player(&r->players[i]);
	shared_stop(r->shared, r->job->target_count);
	for (unsigned int i = 0; i < r->count; i++)
		end_player(r, &r->players[i]);
	add_length(r);
	if (r->o->verbose)
		fputc('\n', stderr);
}

/* --- the report ---------------------------------------------------------- */

/* Adds measured times to the report; 0 or -ENOMEM. */
static int add_times(struct replay_report *sum, const struct submitter *f)
{
	int err = histogram_merge(&sum->late, &f->late);

	return err ? err : histogram_merge(&sum->gap, &f->gap);
}

static void add_kind(struct replay_report *sum, const struct player *player,
		     enum kind k)
{
	const struct kind_sums *asked = &player->file->scan.kinds[k];
	const struct channel_sums *got = &player->channel.sums[k];
	struct replay_kind *to = &sum->kinds[k];
	uint64_t bytes = atomic_load(&got->bytes);

	to->asked += asked->ios * sum->iterations;
	to->done += atomic_load(&got->ios);
	to->failed += atomic_load(&got->failed);
	if (to->sent_as == KIND_READ)
		sum->read_bytes += bytes;
	else if (!kind_is_call(to->sent_as))
		sum->written_bytes += bytes;
}

static int add_player(struct replay_report *sum, const struct player *player)
{
	const struct channel *c = &player->channel;

	for (enum kind k = 0; k < KINDS; k++)
		add_kind(sum, player, k);
	if (c->deepest > sum->deepest)
		sum->deepest = c->deepest;
	return add_times(sum, &player->submitter);
}

/* Adds held I/Os of all devices to the report. */
static int add_held(struct replay *r, struct replay_report *sum)
{
	int err = 0;

	for (unsigned int i = 0; !err && i < r->job->target_count; i++)
		if (r->shared[i].order)
			err = histogram_merge(&sum->held,
					      order_held(r->shared[i].order));
	return err;
}

static int add_up(struct replay *r, struct replay_report *sum)
{
	double length = (double)(r->job->end - r->job->genesis);
	int err = add_held(r, sum);

	for (enum kind k = 0; k < KINDS; k++)
		sum->kinds[k].sent_as = kind_sent_as(k, r->o);
	sum->iterations = r->begun;
	sum->timed = !r->o->no_stalls;
	sum->depth = r->o->depth;
	sum->interrupted = atomic_load(r->stop);
	sum->asked_ns = (uint64_t)(length / r->o->factor * r->begun);
	sum->achieved_ns = r->length;
	for (unsigned int i = 0; !err && i < r->count; i++)
		err = add_player(sum, &r->players[i]);
	return err;
}

static int write_report(struct replay *r, const struct replay_report *sum)
{
	int err = 0;

	replay_report_write_text(sum);
	if (r->o->json)
		err = replay_report_write_json(sum, r->o->report_file);
	if (err)
		msg_warn("cannot write the report to %s: %s", r->o->report_file,
			 strerror(-err));
	return err;
}

static void report(struct replay *r)
{
	struct replay_report sum = { .deepest = 0 };
	int err = add_up(r, &sum);

	if (err)
		msg_warn("out of memory: no report");
	else
		err = write_report(r, &sum);
	if (err || replay_report_failed(&sum))
		r->status = FAILED;
	replay_report_free(&sum);
}

static void check_broken(struct replay *r)
{
	for (unsigned int i = 0; i < r->count; i++)
		if (r->players[i].submitter.broken)
			r->status = BROKEN;
}

int replay_run(const struct job *l, const struct replay_options *o,
	       const atomic_bool *stop)
{
	struct replay r = { .job = l, .o = o, .stop = stop,
			    .count = l->file_count };

	r.players = calloc(r.count ? r.count : 1, sizeof(*r.players));
	if (!r.players) {
		msg_warn("out of memory");
		return FAILED;
	}
	barrier_init(&r.barrier);
	if (start_players(&r)) {
		r.status = FAILED;
		atomic_store(&r.halt, true);
	} else {
		iterate(&r);
	}
	end_players(&r);
	if (r.begun && r.count)
		report(&r);
	check_broken(&r);
	for (unsigned int i = 0; i < r.count; i++)
		submitter_free(&r.players[i].submitter);
	shared_free(r.shared, l->target_count);
	barrier_free(&r.barrier);
	free(r.players);
	return r.status;
}
