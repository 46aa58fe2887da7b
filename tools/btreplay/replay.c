/* One replay; see replay.h. */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/msg.h"
#include "replay/recording.h"
#include "tools/btreplay/channel.h"
#include "tools/btreplay/diary.h"
#include "tools/btreplay/fault.h"
#include "tools/btreplay/feeder.h"
#include "tools/btreplay/gate.h"
#include "tools/btreplay/load.h"
#include "tools/btreplay/options.h"
#include "tools/btreplay/reaper.h"
#include "tools/btreplay/replay.h"
#include "tools/btreplay/report.h"

enum {
	BROKEN = 1,
	FAILED = 2,
	/* ns for all threads to come to their first bunch before it is due */
	HEAD_START = 2000000,
};

/* a replay file with its two threads */
struct lane {
	const struct load_file *file;
	struct channel channel;
	struct feeder feeder;
	struct reaper reaper;
	struct fault fault;
	struct diary *diary;	/* or NULL */
	bool has_channel;
	unsigned int threads;	/* started: none, the feeder, both */
	pthread_t feeding, reaping;
};

struct replay {
	const struct load *load;
	const struct replay_options *o;
	const atomic_bool *stop;	/* the user's */
	atomic_bool halt;	/* everybody's: set when the user wants the
				 * end, or something has failed */
	struct gate gate;
	struct lane *lanes;
	unsigned int count;
	int status;
	unsigned int begun;	/* iterations */
	uint64_t length;	/* ns, of all iterations together */
};

/* --- a lane -------------------------------------------------------------- */

static int open_diary(struct replay *r, struct lane *lane)
{
	const char *path = recording_path(lane->file->recording);
	char *name;
	int err;

	if (r->o->verbose < 2)
		return 0;
	if (asprintf(&name, "%s.rep", path) < 0)
		return -ENOMEM;
	err = diary_open(&lane->diary, name);
	if (err)
		warn("Failed to open report %s: %s", name, strerror(-err));
	free(name);
	return err;
}

static int open_channel(struct replay *r, struct lane *lane)
{
	const struct target *t = &r->load->targets[lane->file->target];
	const struct survey *s = &lane->file->survey;
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
	int err = channel_init(&lane->channel, &co);

	if (err == -EAGAIN)
		warn("io_setup failed for %s: more than fs.aio-max-nr I/Os in"
		     " all; raise that, or take a smaller --depth than %u",
		     t->node, r->o->depth);
	else if (err)
		warn("io_setup failed for %s: %s", t->node, strerror(-err));
	lane->has_channel = !err;
	return err;
}

static void aim_threads(struct replay *r, struct lane *lane)
{
	const struct feeder_options fo = {
		.recording = lane->file->recording,
		.channel = &lane->channel,
		.gate = &r->gate,
		.fault = &lane->fault,
		.diary = lane->diary,
		.iterations = r->o->iterations,
		.cpu = lane->file->cpu % r->o->cpus,
		.genesis = r->load->genesis,
		.factor = r->o->factor,
		.no_stalls = r->o->no_stalls,
		.spin_max = r->o->spin_max,
		.halt = &r->halt,
	};

	lane->fault.node = r->load->targets[lane->file->target].node;
	feeder_init(&lane->feeder, &fo);
	lane->reaper = (struct reaper){ &lane->channel, &lane->fault,
					&r->halt };
}

static int start_thread(pthread_t *t, void *(*run)(void *), void *arg)
{
	int err = pthread_create(t, NULL, run, arg);

	if (err)
		warn("thread create failed: %s", strerror(err));
	return -err;
}

/* The reaper first: what a feeder sends has somebody to take it. */
static int start_lane(struct replay *r, struct lane *lane)
{
	int err = open_diary(r, lane);

	if (!err)
		err = open_channel(r, lane);
	if (err)
		return err;
	aim_threads(r, lane);
	err = start_thread(&lane->reaping, reaper_run, &lane->reaper);
	if (err)
		return err;
	lane->threads = 1;
	err = start_thread(&lane->feeding, feeder_run, &lane->feeder);
	lane->threads += !err;
	return err;
}

static void end_lane(struct replay *r, struct lane *lane)
{
	int err;

	if (lane->threads > 1)
		pthread_join(lane->feeding, NULL);
	atomic_store(&lane->channel.complete, true);
	if (lane->threads)
		pthread_join(lane->reaping, NULL);
	if (lane->has_channel)
		channel_free(&lane->channel);
	err = diary_close(lane->diary);
	if (!err)
		return;
	warn("%s.rep: %s", recording_path(lane->file->recording),
	     strerror(-err));
	r->status = FAILED;
}

/* --- all lanes ----------------------------------------------------------- */

/* Signals are the main thread's. */
static int start_lanes(struct replay *r)
{
	sigset_t all, old;
	int err = 0;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	for (unsigned int i = 0; !err && i < r->count; i++) {
		r->lanes[i].file = &r->load->files[i];
		err = start_lane(r, &r->lanes[i]);
	}
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return err;
}

/* Until so many have arrived at the gate; false: everything ends. */
static bool wait_for(struct replay *r, unsigned int arrived)
{
	while (!gate_wait(&r->gate, arrived)) {
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
			r->length += gate_length(&r->gate);
		gate_open(&r->gate, pace_now() + HEAD_START);
		r->begun = i;
		if (r->o->verbose)
			fputc('I', stderr);
	}
	wait_for(r, (r->o->iterations + 1) * r->count);
}

static void end_lanes(struct replay *r)
{
	for (unsigned int i = 0; i < r->count; i++)
		end_lane(r, &r->lanes[i]);
	if (r->begun)
		r->length += gate_length(&r->gate);
	if (r->o->verbose)
		fputc('\n', stderr);
}

/* --- the report ---------------------------------------------------------- */

static void add_lane(struct report *sum, const struct lane *lane)
{
	const struct survey *s = &lane->file->survey;
	const struct channel *c = &lane->channel;

	sum->asked += (s->reads + s->writes) * sum->iterations;
	sum->done += c->read.ios + c->written.ios;
	sum->failed += c->failed + lane->feeder.failed;
	sum->read_bytes += c->read.bytes;
	sum->written_bytes += c->written.bytes;
	spread_merge(&sum->late, &lane->feeder.late);
	spread_merge(&sum->gap, &lane->feeder.gap);
	if (c->deepest > sum->deepest)
		sum->deepest = c->deepest;
}

static void report(struct replay *r)
{
	struct report *sum = calloc(1, sizeof(*sum));
	double length = (double)(r->load->end - r->load->genesis);
	int err = 0;

	if (!sum) {
		warn("out of memory: no report");
		r->status = FAILED;
		return;
	}
	sum->iterations = r->begun;
	sum->timed = !r->o->no_stalls;
	sum->depth = r->o->depth;
	sum->interrupted = atomic_load(r->stop);
	sum->asked_ns = (uint64_t)(length / r->o->factor * r->begun);
	sum->achieved_ns = r->length;
	for (unsigned int i = 0; i < r->count; i++)
		add_lane(sum, &r->lanes[i]);
	report_tell(sum);
	if (r->o->json)
		err = report_write(sum, r->o->report_file);
	if (err)
		warn("cannot write the report to %s: %s", r->o->report_file,
		     strerror(-err));
	if (err || sum->failed)
		r->status = FAILED;
	free(sum);
}

static void look_for_broken(struct replay *r)
{
	for (unsigned int i = 0; i < r->count; i++)
		if (r->lanes[i].feeder.broken)
			r->status = BROKEN;
}

int replay_run(const struct load *l, const struct replay_options *o,
	       const atomic_bool *stop)
{
	struct replay r = { .load = l, .o = o, .stop = stop,
			    .count = l->file_count };

	r.lanes = calloc(r.count ? r.count : 1, sizeof(*r.lanes));
	if (!r.lanes) {
		warn("out of memory");
		return FAILED;
	}
	gate_init(&r.gate);
	if (start_lanes(&r)) {
		r.status = FAILED;
		atomic_store(&r.halt, true);
	} else {
		iterate(&r);
	}
	end_lanes(&r);
	if (r.begun && r.count)
		report(&r);
	look_for_broken(&r);
	gate_free(&r.gate);
	free(r.lanes);
	return r.status;
}
