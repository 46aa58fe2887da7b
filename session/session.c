/* One capture; see session.h. */
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/msg.h"
#include "capture/cpus.h"
#include "capture/doctor.h"
#include "capture/kernel.h"
#include "capture/relay.h"
#include "capture/sink.h"
#include "capture/sink_file.h"
#include "capture/sink_pipe.h"
#include "capture/tap.h"
#include "capture/totals.h"
#include "capture/worker.h"
#include "session/options.h"
#include "session/session.h"

enum {
	IDLE_FILES = 1000,	/* ms between two looks at idle relay files */
	/* half of what blkparse holds events for to put them in order:
	 * LIVE_HOLD of trace/live.h; the two belong together */
	IDLE_LIVE = 250,
	TICK_MS = 200,
	TEXT_BUFFER = 65536,
};

struct session {
	const struct options *o;
	struct target *targets;
	const char **names;
	unsigned int count;	/* targets that are open */
	struct cpus cpus;
	struct sink *sink;
	bool to_pipe;
	struct workers *workers;
	struct relay_place place;
};

/* --- devices ---------------------------------------------------------------- */

static void explain(const struct session *s, const struct target *t,
		    enum stage stage, int error)
{
	struct patient p = {
		.path = t->path,
		.debugfs = s->o->debugfs,
		.buf_size = s->o->buf_size,
		.buf_nr = s->o->buf_nr,
	};
	char text[512];

	doctor_explain(text, sizeof(text), &p, stage, error);
	warn("%s", text);
}

static int open_targets(struct session *s)
{
	unsigned int n = (unsigned int)s->o->device_count;

	s->targets = calloc(n, sizeof(*s->targets));
	s->names = calloc(n, sizeof(*s->names));
	if (!s->targets || !s->names)
		return -ENOMEM;
	for (; s->count < n; s->count++) {
		struct target *t = &s->targets[s->count];
		int err = target_open(t, s->o->devices[s->count]);

		if (err) {
			warn("Invalid path %s specified: %d/%s", t->path, -err,
			     strerror(-err));
			return err;
		}
		s->names[s->count] = t->name;
	}
	return 0;
}

/* All are tried, so that one run tells about all that fail. */
static int set_up_targets(struct session *s)
{
	struct target_setup want = {
		.mask = s->o->mask,
		.buf_size = s->o->buf_size,
		.buf_nr = s->o->buf_nr,
		.version = s->o->record_version,
	};
	int failed = 0;

	for (unsigned int i = 0; i < s->count; i++) {
		struct target *t = &s->targets[i];
		int err = target_set_up(t, &want);

		if (err) {
			warn("BLKTRACESETUP %s failed: %d/%s", t->path, -err,
			     strerror(-err));
			explain(s, t, STAGE_SETUP, -err);
			failed = err;
		} else if (t->version == 8 && !s->o->record_version) {
			warn("%s: version 8 records, as version 7 has no"
			     " categories of zones; --record-version decides",
			     t->path);
		}
	}
	return failed;
}

/*
 * The kernel may set up a trace and yet not let it be read: so the first file
 * is really opened before anything is said to work.
 */
static int try_relay(struct session *s)
{
	struct tap *t;
	unsigned int which;
	int err = relay_open(&t, &s->place, s->cpus.online[0], &which);

	if (err) {
		explain(s, &s->targets[which], STAGE_RELAY, -err);
		return err;
	}
	t->ops->close(t);
	return 0;
}

static int start_targets(struct session *s)
{
	int failed = 0;

	for (unsigned int i = 0; i < s->count; i++) {
		int err = target_start(&s->targets[i]);

		if (err) {
			warn("BLKTRACESTART %s failed: %d/%s",
			     s->targets[i].path, -err, strerror(-err));
			failed = err;
		}
	}
	return failed;
}

static void stop_targets(struct session *s)
{
	for (unsigned int i = 0; i < s->count; i++)
		target_stop(&s->targets[i]);
}

/* --- threads and their output --------------------------------------------------- */

static int open_sink(struct session *s)
{
	struct sink_file_options fo = { s->o->directory, s->o->output,
					s->o->level };

	s->to_pipe = s->o->output && !strcmp(s->o->output, "-");
	if (!s->to_pipe)
		return sink_file_new(&s->sink, &fo);
	s->sink = sink_pipe_new(STDOUT_FILENO);
	return s->sink ? 0 : -ENOMEM;
}

/* Readers of old stop at the first CPU without a file. */
static int touch_offline(struct session *s)
{
	unsigned int next = 0;
	int err = 0;

	for (uint32_t cpu = 0; !err && cpu < s->cpus.max; cpu++) {
		if (s->cpus.online[next] == cpu) {
			next++;
			continue;
		}
		for (unsigned int i = 0; !err && i < s->count; i++)
			err = sink_file_touch(s->sink, s->names[i], cpu);
	}
	return err;
}

static int open_tap(void *ctx, uint32_t cpu, struct tap **t)
{
	struct session *s = ctx;
	unsigned int which;
	int err = relay_open(t, &s->place, cpu, &which);

	if (err)
		warn("Thread %u failed open %s/block/%s/trace%u: %d/%s", cpu,
		     s->o->debugfs, s->names[which], cpu, -err,
		     strerror(-err));
	return err;
}

static int dropped(void *ctx, unsigned int device, uint64_t *n)
{
	struct session *s = ctx;

	return target_dropped(s->o->debugfs, s->names[device], n);
}

static int start_workers(struct session *s)
{
	struct workers_options wo = {
		.cpus = s->cpus.online,
		.cpu_count = s->cpus.count,
		.names = s->names,
		.device_count = s->count,
		.sink = s->sink,
		.idle_ms = s->to_pipe ? IDLE_LIVE : IDLE_FILES,
		.open_tap = open_tap,
		.dropped = dropped,
		.ctx = s,
	};

	return workers_start(&s->workers, &wo);
}

/* --- waiting for the end ------------------------------------------------------------ */

static void block_signals(sigset_t *set)
{
	sigemptyset(set);
	sigaddset(set, SIGINT);
	sigaddset(set, SIGTERM);
	sigaddset(set, SIGHUP);
	sigprocmask(SIG_BLOCK, set, NULL);
	signal(SIGPIPE, SIG_IGN);
}

static uint64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

static void show_progress(const struct session *s, uint64_t elapsed)
{
	uint64_t events, bytes, drops;

	workers_sums(s->workers, &events, &bytes, &drops);
	fprintf(stderr, "\r%5llu s %12llu events %9llu/s %9llu KiB %8llu"
		" dropped ", (unsigned long long)elapsed / 1000,
		(unsigned long long)events,
		(unsigned long long)(elapsed ? events * 1000 / elapsed : 0),
		(unsigned long long)bytes >> 10, (unsigned long long)drops);
}

/* Until a signal, the time set, or until the threads have given up. */
static void wait_for_end(struct session *s, const sigset_t *signals)
{
	const struct timespec tick = { 0, TICK_MS * 1000000L };
	uint64_t start = now_ms(), elapsed = 0;
	bool progress = s->o->progress && isatty(STDERR_FILENO);

	while (!workers_gone(s->workers)) {
		if (sigtimedwait(signals, NULL, &tick) >= 0)
			break;
		elapsed = now_ms() - start;
		if (progress)
			show_progress(s, elapsed);
		if (s->o->seconds && elapsed >= 1000ull * s->o->seconds)
			break;
	}
	if (progress)
		fputc('\n', stderr);
}

/* --- totals --------------------------------------------------------------------------- */

static void print_device(const struct session *s, unsigned int device,
			 struct buf *to)
{
	struct totals_cpu *cpus = calloc(s->cpus.max, sizeof(*cpus));

	if (!cpus)
		return;
	for (unsigned int i = 0; i < s->cpus.count; i++) {
		const struct flow *f = workers_flow(s->workers, device, i);

		cpus[f->cpu] = (struct totals_cpu){ f->events, f->bytes };
	}
	totals_print(to, s->names[device], cpus, s->cpus.max,
		     workers_dropped(s->workers, device));
	free(cpus);
}

static void print_totals(const struct session *s)
{
	struct buf out;
	uint64_t events, bytes, drops;

	if (!s->to_pipe && !buf_init(&out, STDOUT_FILENO, TEXT_BUFFER)) {
		for (unsigned int i = 0; i < s->count; i++)
			print_device(s, i, &out);
		buf_flush(&out);
		buf_free(&out);
	}
	workers_sums(s->workers, &events, &bytes, &drops);
	totals_warn(events, drops);
}

/* --- a whole run ------------------------------------------------------------------------ */

static void allow_many_files(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit))
		return;
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
}

static int prepare(struct session *s)
{
	int err = cpus_online(&s->cpus);

	if (err) {
		warn("cannot get online cpus %d/%s", -err, strerror(-err));
		return err;
	}
	err = open_targets(s);
	if (!err)
		err = set_up_targets(s);
	s->place = (struct relay_place){ s->o->debugfs, s->names, s->count };
	if (!err)
		err = try_relay(s);
	if (!err)
		err = open_sink(s);
	if (!err && !s->to_pipe)
		err = touch_offline(s);
	return err;
}

static int capture(struct session *s, const sigset_t *signals)
{
	int err = start_workers(s), failed;

	if (err)
		return err;
	err = start_targets(s);
	if (!err)
		wait_for_end(s, signals);
	stop_targets(s);
	workers_stop(s->workers);
	failed = workers_join(s->workers);
	print_totals(s);
	return err ? err : failed;
}

static void clean_up(struct session *s)
{
	workers_free(s->workers);
	if (s->sink)
		s->sink->ops->free(s->sink);
	for (unsigned int i = 0; i < s->count; i++)
		target_close(&s->targets[i]);
	free(s->targets);
	free(s->names);
	cpus_free(&s->cpus);
}

int session_run(const struct options *o)
{
	struct session s = { .o = o };
	sigset_t signals;
	int err;

	block_signals(&signals);
	allow_many_files();
	err = prepare(&s);
	if (!err)
		err = capture(&s, &signals);
	clean_up(&s);
	return err != 0;
}

int session_kill(const struct options *o)
{
	int failed = 0;

	for (int i = 0; i < o->device_count; i++) {
		struct target t;
		int err = target_open(&t, o->devices[i]);

		if (err)
			warn("Invalid path %s specified: %d/%s", o->devices[i],
			     -err, strerror(-err));
		else
			err = target_kill(&t);
		if (err && t.fd >= 0)
			warn("BLKTRACETEARDOWN %s failed: %d/%s", o->devices[i],
			     -err, strerror(-err));
		target_close(&t);
		failed |= err != 0;
	}
	return failed;
}
