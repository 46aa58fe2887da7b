/* SPDX-License-Identifier: GPL-2.0-only */
/* One replay; see replay.h. */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/msg.h"
#include "replay/bunch_reader.h"
#include "tools/btreplay/barrier.h"
#include "tools/btreplay/bunch_log.h"
#include "tools/btreplay/channel.h"
#include "tools/btreplay/fault.h"
#include "tools/btreplay/job.h"
#include "tools/btreplay/options.h"
#include "tools/btreplay/reaper.h"
#include "tools/btreplay/replay.h"
#include "tools/btreplay/report.h"
#include "tools/btreplay/submitter.h"

enum {
	BROKEN = 1,
	FAILED = 2,
	/* ns for all threads to come to their first bunch before it is due */
	HEAD_START = 2000000,
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
	unsigned int threads;	/* started: none, the submitter, both */
	pthread_t submitting, reaping;
};

struct replay {
	const struct job *job;
	const struct replay_options *o;
	const atomic_bool *stop;	/* the user's */
	atomic_bool halt;	/* for all threads: set when the user wants
				 * the end, or something has failed */
	struct barrier barrier;
	struct player *players;
	unsigned int count;
	int status;
	unsigned int begun;	/* iterations */
	uint64_t length;	/* ns, of all iterations together */
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

static int open_channel(struct replay *r, struct player *player)
{
	const struct target *t = &r->job->targets[player->file->target];
	const struct scan *s = &player->file->scan;
	uint64_t ios = s->reads + s->writes - s->impossible;
	const struct channel_options co = {
		.fd = t->fd,
		.depth = r->o->depth,
		.write = r->o->write,
		.longest_read = s->longest_read,
		.longest_write = s->longest_write,
		.expected = ios * r->o->iterations,
		.stop = &r->halt,
	};
	int err = channel_init(&player->channel, &co);

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
		.fault = &player->fault,
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
	player->reaper = (struct reaper){ &player->channel, &player->fault,
					&r->halt };
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

static void end_player(struct replay *r, struct player *player)
{
	int err;

	if (player->threads > 1)
		pthread_join(player->submitting, NULL);
	atomic_store(&player->channel.complete, true);
	if (player->threads)
		pthread_join(player->reaping, NULL);
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

/* Signals go to the main thread. */
static int start_players(struct replay *r)
{
	sigset_t all, old;
	int err = 0;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	for (unsigned int i = 0; !err && i < r->count; i++) {
		r->players[i].file = &r->job->files[i];
		err = start_player(r, &r->players[i]);
	}
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return err;
}

/* Until so many have arrived at the barrier; false: everything ends. */
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

static void iterate(struct replay *r)
{
	for (unsigned int i = 1; i <= r->o->iterations; i++) {
		if (!wait_for(r, i * r->count))
			return;
		if (i > 1)
			r->length += barrier_length(&r->barrier);
		barrier_open(&r->barrier, pace_now() + HEAD_START);
		r->begun = i;
		if (r->o->verbose)
			fputc('I', stderr);
	}
	wait_for(r, (r->o->iterations + 1) * r->count);
}

static void end_players(struct replay *r)
{
	for (unsigned int i = 0; i < r->count; i++)
		end_player(r, &r->players[i]);
	if (r->begun)
		r->length += barrier_length(&r->barrier);
	if (r->o->verbose)
		fputc('\n', stderr);
}

/* --- the report ---------------------------------------------------------- */

/* Measured times become the report's: 0, or -ENOMEM. */
static int add_times(struct replay_report *sum, const struct submitter *f)
{
	int err = histogram_merge(&sum->late, &f->late);

	return err ? err : histogram_merge(&sum->gap, &f->gap);
}

static int add_player(struct replay_report *sum, const struct player *player)
{
	const struct scan *s = &player->file->scan;
	const struct channel *c = &player->channel;

	sum->asked += (s->reads + s->writes) * sum->iterations;
	sum->done += c->read.ios + c->written.ios;
	sum->failed += c->failed + player->submitter.failed;
	sum->read_bytes += c->read.bytes;
	sum->written_bytes += c->written.bytes;
	if (c->deepest > sum->deepest)
		sum->deepest = c->deepest;
	return add_times(sum, &player->submitter);
}

static int add_up(struct replay *r, struct replay_report *sum)
{
	double length = (double)(r->job->end - r->job->genesis);
	int err = 0;

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
	struct replay_report sum = { .asked = 0 };
	int err = add_up(r, &sum);

	if (err)
		msg_warn("out of memory: no report");
	else
		err = write_report(r, &sum);
	if (err || sum.failed)
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
	barrier_free(&r.barrier);
	free(r.players);
	return r.status;
}
