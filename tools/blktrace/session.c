/* One capture; see session.h. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/limit.h"
#include "base/msg.h"
#include "capture/cpus.h"
#include "capture/doctor.h"
#include "capture/kernel.h"
#include "capture/reporter.h"
#include "capture/sink.h"
#include "capture/sink_file.h"
#include "capture/sink_net.h"
#include "capture/sink_pipe.h"
#include "capture/totals.h"
#include "capture/via.h"
#include "capture/worker.h"
#include "tools/blktrace/options.h"
#include "tools/blktrace/session.h"

enum {
	IDLE_FILES = 1000,	/* ms between two looks at idle relay files */
	/* half of what blkparse holds events for to put them in order:
	 * REORDER_HOLD of trace/reorder.h; the two belong together */
	IDLE_LIVE = 250,
	PROGRESS_MS = 500,
	DAY_MS = 86400000,
	TEXT_BUFFER = 65536,
};

/* Called by all threads: msg_warn() writes a line as a whole. */
static void print_line(void *ctx, const char *text)
{
	(void)ctx;
	msg_warn("%s", text);
}

static const struct reporter reporter = { .line = print_line };

struct session {
	const struct options *o;
	const atomic_bool *stop;
	struct via_plan plan;
	struct cpus cpus;
	struct via *via;
	struct sink *sink;
	bool to_pipe, to_net;	/* else to files */
	struct workers *workers;
	struct buf out;		/* text on standard output */
};

/* --- the way -------------------------------------------------------------- */

/* The session has it from here on, whatever comes of it. */
static int set_up(struct session *s, struct via *v)
{
	if (!v)
		return -ENOMEM;
	s->via = v;
	return v->ops->set_up(v);
}

/* The only way that may be taken; says why, if it is closed. */
static int take(struct session *s, struct via *v)
{
	int err = set_up(s, v);

	if (err == -EOPNOTSUPP)
		msg_warn("%s", v->why);
	return err;
}

/* What closes both ways is said once. */
static int take_ftrace(struct session *s, const char *no_relay)
{
	struct via *v = via_ftrace(&s->plan, &s->cpus);
	int err = set_up(s, v);

	if (!err)
		msg_warn("no relay files, so by ftrace (%s)", no_relay);
	if (err == -EOPNOTSUPP)
		msg_warn("%s", no_relay);
	if (err == -EOPNOTSUPP && strcmp(no_relay, v->why))
		msg_warn("%s", v->why);
	return err;
}

/* Relay files if they are to be had; ftrace costs more and tells less. */
static int find_way(struct session *s)
{
	char why[sizeof(s->via->why)];
	int err;

	if (s->o->via == VIA_FTRACE)
		return take(s, via_ftrace(&s->plan, &s->cpus));
	if (s->o->via == VIA_RELAY)
		return take(s, via_relay(&s->plan, &s->cpus));
	if (s->o->via == VIA_BPF)
		return take(s, via_bpf(&s->plan, &s->cpus));
	err = set_up(s, via_relay(&s->plan, &s->cpus));
	if (err != -EOPNOTSUPP)
		return err;
	memcpy(why, s->via->why, sizeof(why));
	s->via->ops->tear_down(s->via);
	s->via = NULL;
	return take_ftrace(s, why);
}

/*
 * Before the host is looked for, and named on standard output, as ever; the
 * kernel is asked behind that.
 */
static int find_devices(const struct options *o)
{
	for (int i = 0; i < o->device_count; i++) {
		const struct patient p = { .path = o->devices[i],
					   .debugfs = o->debugfs,
					   .why = "" };
		char text[DOCTOR_TEXT];
		struct kernel_trace t;
		int err = kernel_open(&t, p.path);

		kernel_close(&t);
		if (!err)
			continue;
		doctor_explain(text, &p, STAGE_OPEN, -err);
		msg_warn("%s", text);
		return err;
	}
	return 0;
}

/* --- threads and their output --------------------------------------------- */

static int open_net(struct session *s)
{
	const struct sink_net_options no = {
		.host = s->o->host,
		.port = s->o->port,
		.buf_size = s->o->buf_size,
		.buf_nr = s->o->buf_nr,
		.max_cpus = s->cpus.max,
		.per_device = !s->o->per_cpu,
		.stop = s->stop,
		.reporter = &reporter,
	};

	s->to_net = true;
	s->sink = sink_net_new(&no);
	if (s->sink)
		buf_printf(&s->out, "blktrace: connecting to %s\n",
			   sink_net_host(s->sink));
	buf_flush(&s->out);
	return s->sink ? 0 : -EHOSTUNREACH;
}

/* What would feed on itself is told, but done: it may be what is wanted. */
static int open_files(struct session *s)
{
	const struct options *o = s->o;
	const struct sink_file_options fo = { o->directory, o->output,
					      o->level, &reporter };
	char text[DOCTOR_TEXT];

	if (doctor_output(text, o->directory, o->output)) {
		msg_warn("%s", text);
		return -EACCES;
	}
	for (int i = 0; i < o->device_count; i++)
		if (doctor_feedback(text, o->directory, o->output,
				    o->devices[i]))
			msg_warn("%s", text);
	return sink_file_new(&s->sink, &fo);
}

static int open_sink(struct session *s)
{
	if (options_to_files(s->o))
		return open_files(s);
	s->to_pipe = true;
	s->sink = sink_pipe_new(STDOUT_FILENO, &reporter);
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
		for (unsigned int i = 0; !err && i < s->via->count; i++)
			err = sink_file_touch(s->sink, s->via->names[i], cpu);
	}
	return err;
}

static int open_tap(void *ctx, uint32_t cpu, struct tap **t)
{
	struct via *v = ((struct session *)ctx)->via;

	return v->ops->open_tap(v, cpu, t);
}

static int dropped(void *ctx, unsigned int device, uint64_t *n)
{
	struct via *v = ((struct session *)ctx)->via;

	return v->ops->dropped(v, device, n);
}

static int start_workers(struct session *s)
{
	struct workers_options wo = {
		.cpus = s->cpus.online,
		.cpu_count = s->cpus.count,
		.names = s->via->names,
		.device_count = s->via->count,
		.sink = s->sink,
		.idle_ms = s->to_pipe || s->to_net ? IDLE_LIVE : IDLE_FILES,
		.open_tap = open_tap,
		.dropped = s->via->ops->dropped ? dropped : NULL,
		.ctx = s,
		.reporter = &reporter,
	};

	return workers_start(&s->workers, &wo);
}

/* --- waiting for the end -------------------------------------------------- */

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

/* ms until something is due, at most; -1: nothing is */
static int next_due(const struct session *s, uint64_t elapsed, bool progress)
{
	uint64_t limit = 1000ull * s->o->seconds, left;

	if (progress)
		return PROGRESS_MS;
	if (!s->o->seconds)
		return -1;
	left = limit > elapsed ? limit - elapsed : 0;
	return left < DAY_MS ? (int)left : DAY_MS;
}

/*
 * Sleeps until a signal, a thread that has ended, a reader of the pipe that
 * has gone away, or until something is due.  true: it was one of the first.
 */
static bool sleep_until_due(const struct session *s, int ms,
			    const sigset_t *mask)
{
	struct timespec limit = { ms / 1000, ms % 1000 * 1000000L };
	struct pollfd fds[] = {
		{ .fd = workers_gone_fd(s->workers), .events = POLLIN },
		{ .fd = s->to_pipe ? STDOUT_FILENO : -1 },
	};
	int n = ppoll(fds, 2, ms < 0 ? NULL : &limit, mask);

	return n > 0 && (fds[0].revents || fds[1].revents & POLLERR);
}

static void watch(struct session *s, const sigset_t *mask)
{
	uint64_t start = now_ms(), elapsed = 0;
	bool progress = s->o->progress && isatty(STDERR_FILENO);

	while (!*s->stop &&
	       (!s->o->seconds || elapsed < 1000ull * s->o->seconds)) {
		if (sleep_until_due(s, next_due(s, elapsed, progress), mask))
			break;
		elapsed = now_ms() - start;
		if (progress)
			show_progress(s, elapsed);
	}
	if (progress)
		fputc('\n', stderr);
}

/* Signals come in while we sleep and at no other time: none is missed. */
static void wait_for_end(struct session *s)
{
	sigset_t ends, old;

	sigemptyset(&ends);
	sigaddset(&ends, SIGINT);
	sigaddset(&ends, SIGTERM);
	sigaddset(&ends, SIGHUP);
	sigaddset(&ends, SIGALRM);
	sigprocmask(SIG_BLOCK, &ends, &old);
	watch(s, &old);
	sigprocmask(SIG_SETMASK, &old, NULL);
}

/* --- totals --------------------------------------------------------------- */

/* What the device has lost, by whoever knows. */
static uint64_t lost(const struct session *s, unsigned int device)
{
	if (s->via->ops->lost)
		return s->via->ops->lost(s->via, device);
	return workers_dropped(s->workers, device);
}

static void print_device(struct session *s, unsigned int device)
{
	struct totals_cpu *cpus = calloc(s->cpus.max, sizeof(*cpus));

	if (!cpus)
		return;
	for (unsigned int i = 0; i < s->cpus.count; i++) {
		const struct sink_lane *l = workers_lane(s->workers, device, i);

		cpus[l->cpu] = (struct totals_cpu){ l->events, l->bytes };
	}
	totals_print(&s->out, s->via->names[device], cpus, s->cpus.max,
		     lost(s, device));
	free(cpus);
}

static void print_totals(struct session *s)
{
	uint64_t events, bytes, drops, all = 0;

	for (unsigned int i = 0; !s->to_pipe && i < s->via->count; i++)
		print_device(s, i);
	buf_flush(&s->out);
	workers_sums(s->workers, &events, &bytes, &drops);
	for (unsigned int i = 0; i < s->via->count; i++)
		all += lost(s, i);
	totals_warn(events, all);
}

/* --- a whole run ---------------------------------------------------------- */

static int prepare(struct session *s)
{
	int err = cpus_online(&s->cpus);

	if (!err)
		err = buf_init(&s->out, STDOUT_FILENO, TEXT_BUFFER);
	if (err) {
		msg_warn("cannot get online cpus %d/%s", -err, strerror(-err));
		return err;
	}
	if (s->o->host)
		err = find_devices(s->o);
	if (!err && s->o->host)
		err = open_net(s);
	if (!err)
		err = find_way(s);
	if (!err && !s->to_net)
		err = open_sink(s);
	if (!err && !s->to_pipe && !s->to_net)
		err = touch_offline(s);
	return err;
}

static int capture(struct session *s)
{
	int err = start_workers(s), gone, failed;

	if (err)
		return err;
	err = s->via->ops->start(s->via);
	if (!err && s->to_net) {
		buf_printf(&s->out, "blktrace: connected!\n");
		buf_flush(&s->out);
	}
	if (!err)
		wait_for_end(s);
	gone = s->via->ops->stop(s->via);
	workers_stop(s->workers);
	failed = workers_join(s->workers);
	print_totals(s);
	return err ? err : failed ? failed : gone;
}

static void clean_up(struct session *s)
{
	workers_free(s->workers);
	if (s->sink)
		s->sink->ops->free(s->sink);
	if (s->via)
		s->via->ops->tear_down(s->via);
	buf_free(&s->out);
	cpus_free(&s->cpus);
}

static struct via_plan plan_of(const struct options *o)
{
	return (struct via_plan){
		.devices = o->devices,
		.count = (unsigned int)o->device_count,
		.debugfs = o->debugfs,
		.setup = options_setup(o),
		.reporter = &reporter,
	};
}

int session_run(const struct options *o, const atomic_bool *stop)
{
	struct session s = { .o = o, .stop = stop, .plan = plan_of(o) };
	int err;

	limit_open_files();
	err = prepare(&s);
	if (!err)
		err = capture(&s);
	clean_up(&s);
	return err != 0;
}
