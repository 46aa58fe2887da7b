/* SPDX-License-Identifier: GPL-2.0-only */
/* One capture; see commands.h. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/limit.h"
#include "base/msg.h"
#include "base/time.h"
#include "capture/audit.h"
#include "capture/cgroup_names.h"
#include "capture/cgroup_tree.h"
#include "capture/cpus.h"
#include "capture/doctor.h"
#include "capture/from/cgroup_switch.h"
#include "capture/kernel.h"
#include "capture/mark_port.h"
#include "capture/notes.h"
#include "capture/reporter.h"
#include "capture/run_cards.h"
#include "capture/session.h"
#include "capture/sink.h"
#include "capture/to/sink_acked.h"
#include "capture/to/sink_file.h"
#include "capture/to/sink_net.h"
#include "capture/to/sink_packed.h"
#include "capture/to/sink_pipe.h"
#include "capture/to/sink_rotate.h"
#include "capture/totals.h"
#include "cli/version.h"
#include "tools/blktrace/commands.h"
#include "tools/blktrace/keys.h"
#include "tools/blktrace/notify.h"
#include "tools/blktrace/options.h"
#include "tools/blktrace/recorder.h"
#include "tools/blktrace/workload.h"
#include "transport/tls.h"

enum {
	PROGRESS_MS = 500,
	DAY_MS = 86400000,
	TEXT_BUFFER = 65536,
};

/* Called by all threads; msg_warn() writes whole lines. */
static void print_line(void *ctx, const char *text)
{
	(void)ctx;
	msg_warn("%s", text);
}

static const struct capture_reporter reporter = { .line = print_line };

/* the cgroups of a run with --cgroup; all zero: none */
struct run_cgroups {
	struct cgroup_switch *on;
	struct cgroup_names *names;	/* NULL: not available */
};

struct run {
	const struct options *o;
	atomic_bool *stop;
	struct session *session;
	struct sink *sink;	/* the recorder's with --ring */
	struct recorder *recorder;	/* with --ring, else NULL */
	struct tls *tls;	/* NULL: a plain connection, or none */
	struct run_cards *cards;	/* to files, or by TLS; or NULL */
	struct net_cards *sent_cards;	/* by TLS; or NULL */
	struct run_cgroups cgroups;	/* with --cgroup */
	struct notify manager;
	struct workload *workload;	/* the command, or NULL */
	char **stat;		/* btstat's words, with --stat; or NULL */
	const char *cause;	/* of the end */
	bool lossy;		/* events or I/Os are missing */
	bool to_pipe, to_net;	/* else to files */
	bool acked;		/* to a server, with --spool */
	struct buf out;		/* text on standard output */
};

/* --- cgroups -------------------------------------------------------------- */

static void learn_names(struct run_cgroups *g)
{
	struct cgroup_tree tree;
	int err = cgroup_tree_find(&tree, NULL);

	if (!err)
		err = cgroup_names_start(&g->names, &tree);
	if (err)
		msg_warn("cgroups will have ids only: %s", err == -ENOENT ?
			 "no tree of them is mounted" : strerror(-err));
}

/* Lets records have ids, and if names is set follows the names; missing names
 * are reported, and no failure.  0 or -errno, reported. */
static int cgroups_begin(struct run_cgroups *g, bool names)
{
	int err = cgroup_switch_on(&g->on, NULL);

	if (err)
		msg_warn("--cgroup: cannot switch the kernel's option"
			 " blk_cgroup on: %s", err == -EOPNOTSUPP ?
			 "it was built without CONFIG_BLK_CGROUP" :
			 strerror(-err));
	else if (names)
		learn_names(g);
	return err;
}

/* Restores the kernel's option, and keeps the names. */
static void cgroups_end(struct run_cgroups *g)
{
	int err = cgroup_switch_off(g->on);

	g->on = NULL;
	if (err)
		msg_warn("the kernel's option blk_cgroup is still on: %s",
			 strerror(-err));
}

/* --- devices and output --------------------------------------------------- */

/* 1.3.0: before it looks the host up and prints its name; sets the kernel up
 * after that. */
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

static int open_net(struct run *r)
{
	const struct sink_net_options no = {
		.host = r->o->host,
		.port = r->o->port,
		.buf_size = r->o->buf_size,
		.buf_nr = r->o->buf_nr,
		.max_cpus = session_cpus(r->session)->max,
		.per_device = !r->o->per_cpu,
		.stop = r->stop,
		.reporter = &reporter,
		.tls = r->tls,
	};

	const struct sink_acked_options ao = {
		.net = no, .spool = r->o->spool.directory,
		.spool_size = r->o->spool.size,
		.pack = r->o->pack,
	};

	r->to_net = true;
	r->acked = ao.spool;
	if (ao.pack && !r->acked)
		msg_warn("--pack sends packed records only with --spool: they"
			 " are sent plain");
	r->sink = r->acked ? sink_acked_new(&ao) : sink_net_new(&no);
	if (r->sink)
		buf_printf(&r->out, "blktrace: connecting to %s\n", r->acked ?
			   sink_acked_host(r->sink) : sink_net_host(r->sink));
	buf_flush(&r->out);
	return r->sink ? 0 : -EHOSTUNREACH;
}

static void begin_cards(void *cards, const char *directory,
			struct sink *files)
{
	run_cards_begin(cards, directory, files);
}

static void end_cards(void *cards, const char *directory, struct sink *files)
{
	run_cards_complete(cards, directory, files);
}

static int open_ring(struct run *r)
{
	int err = recorder_new(&r->recorder, r->o, r->session, r->cards,
			       r->cgroups.names, &reporter);

	r->sink = err ? NULL : recorder_sink(r->recorder);
	return err;
}

static int open_packed(struct run *r)
{
	const struct sink_file_options fo = {
		.directory = r->o->directory, .reporter = &reporter };
	char *path = options_packed(r->o, session_device_name(r->session, 0));
	const struct sink_packed_options po = {
		.file = { .path = path, .reporter = &reporter },
		.base = options_base(r->o),
	};
	int err = path ? sink_file_directory(&fo) : -ENOMEM;

	if (!err)
		err = sink_packed_new(&r->sink, &po);
	free(path);
	return err;
}

/* Reports output on the traced disk, but allows it. */
static int open_files(struct run *r)
{
	const struct options *o = r->o;
	const struct sink_rotate_options ro = {
		.files = { o->directory, options_base(o), o->level, &reporter,
			   NULL },
		.pack = o->pack,
		.size = o->ring.rotate_size,
		.time = o->ring.rotate_time,
		.keep = o->keep,
		.now = notes_stamp_now,
		.began = begin_cards,
		.ended = end_cards,
		.ctx = r->cards,
	};
	char text[DOCTOR_TEXT];
	int err;

	if (doctor_output(text, o->directory, o->output)) {
		msg_warn("%s", text);
		return -EACCES;
	}
	for (int i = 0; i < o->device_count; i++)
		if (doctor_feedback(text, o->directory, o->output,
				    o->devices[i]))
			msg_warn("%s", text);
	if (o->ring.size)
		return open_ring(r);
	if (options_rotates(o))
		return sink_rotate_new(&r->sink, &ro);
	err = o->pack ? open_packed(r) : sink_file_new(&r->sink, &ro.files);
	if (!err)
		run_cards_begin(r->cards, o->directory, r->sink);
	return err;
}

/* The session has the devices in the order of the command line. */
static bool add_cards(const struct run *r)
{
	for (unsigned int i = 0; i < session_device_count(r->session); i++) {
		struct stat st;

		/* a device being traced rarely disappears */
		if (stat(r->o->devices[i], &st))
			st.st_rdev = 0;
		if (run_cards_add(r->cards, session_device_name(r->session, i),
				  st.st_rdev))
			return false;
	}
	return true;
}

static void make_cards(struct run *r)
{
	const struct run_cards_options co = {
		.program = "blktrace " SUITE_VERSION,
		.words = r->o->words,
		.word_count = (unsigned int)r->o->word_count,
		.via = session_via(r->session),
		.joined = r->o->joined,
		.record_version = session_version(r->session),
		.base = options_base(r->o),
		.serial = !r->o->no_serial,
		.cgroups = r->cgroups.names,
		.reporter = &reporter,
	};

	if (!run_cards_new(&r->cards, &co) && !add_cards(r)) {
		run_cards_free(r->cards);
		r->cards = NULL;
	}
	if (!r->cards)
		msg_warn("out of memory: there will be no NAME.blktrace.json");
}

static int open_pipe(struct run *r)
{
	const struct sink_packed_options po = {
		.file = { .fd = STDOUT_FILENO, .reporter = &reporter },
		.live = true,
	};

	int err;

	r->to_pipe = true;
	if (r->o->pack) {
		make_cards(r);
		err = sink_packed_new(&r->sink, &po);
		if (!err)
			run_cards_begin(r->cards, NULL, r->sink);
		return err;
	}
	r->sink = sink_pipe_new(STDOUT_FILENO, &reporter);
	return r->sink ? 0 : -ENOMEM;
}

static int open_sink(struct run *r)
{
	if (!options_to_files(r->o))
		return open_pipe(r);
	make_cards(r);
	return open_files(r);
}

/* --- waiting for the end -------------------------------------------------- */

static void show_progress(const struct run *r, uint64_t elapsed)
{
	uint64_t events, bytes, drops;

	session_sums(r->session, &events, &bytes, &drops);
	fprintf(stderr, "\r%5llu s %12llu events %9llu/s %9llu KiB %8llu"
		" dropped ", (unsigned long long)elapsed / 1000,
		(unsigned long long)events,
		(unsigned long long)(elapsed ? events * 1000 / elapsed : 0),
		(unsigned long long)bytes >> 10, (unsigned long long)drops);
}

/* ms until something is due; -1: nothing is. */
static int next_due(const struct run *r, uint64_t elapsed, bool progress)
{
	uint64_t limit = 1000ull * r->o->seconds, left;

	if (progress)
		return PROGRESS_MS;
	if (!r->o->seconds)
		return -1;
	left = limit > elapsed ? limit - elapsed : 0;
	return left < DAY_MS ? (int)left : DAY_MS;
}

/* Sleeps until ms have passed; true: a signal came, a thread has ended, or the
 * pipe's reader has gone. */
static bool sleep_until_due(const struct run *r, int ms,
			    const sigset_t *mask)
{
	struct timespec limit = { ms / 1000, ms % 1000 * 1000000L };
	struct pollfd fds[] = {
		{ .fd = session_gone_fd(r->session), .events = POLLIN },
		{ .fd = r->to_pipe ? STDOUT_FILENO : -1 },
		{ .fd = workload_fd(r->workload), .events = POLLIN },
	};
	/* with a command signals are read from its descriptor */
	int n = ppoll(fds, 3, ms < 0 ? NULL : &limit,
		      r->workload ? NULL : mask);

	return n > 0 && (fds[0].revents || fds[1].revents & POLLERR);
}

static bool time_is_up(const struct run *r, uint64_t elapsed)
{
	return r->o->seconds && elapsed >= 1000ull * r->o->seconds;
}

static const char *cause_of_end(struct run *r, bool gone)
{
	if (gone)
		return "error";
	if (workload_ended(r->workload))
		return "command";
	return *r->stop || workload_over(r->workload) ? "signal" : "stopwatch";
}

static void watch(struct run *r, const sigset_t *mask)
{
	int64_t start = time_now_ms();
	uint64_t elapsed = 0;
	bool gone = false;
	bool progress = r->o->progress && isatty(STDERR_FILENO);

	while (!gone && !*r->stop && !workload_over(r->workload) &&
	       !time_is_up(r, elapsed)) {
		gone = sleep_until_due(r, next_due(r, elapsed, progress),
				       mask);
		elapsed = (uint64_t)(time_now_ms() - start);
		if (progress && !gone)
			show_progress(r, elapsed);
	}
	if (progress)
		fputc('\n', stderr);
	r->cause = cause_of_end(r, gone);
}

/* Not for a pipe, whose reader may use the terminal. */
static void announce(const struct run *r)
{
	unsigned int count = session_device_count(r->session);
	unsigned int cpus = session_cpus(r->session)->count;
	char more[32] = "";

	if (r->to_pipe || r->workload)
		return;
	if (count > 1)
		snprintf(more, sizeof(more), " and %u more", count - 1);
	msg_warn("tracing %s%s (%s, %u CPU%s); stop with Ctrl-C",
		 r->o->devices[0], more, session_via(r->session), cpus,
		 cpus == 1 ? "" : "s");
}

/* Starts recording. */
static int begin(struct run *r)
{
	announce(r);
	notify_ready(&r->manager);
	if (*r->stop && r->workload) {
		msg_warn("interrupted: the command was not started");
		return -EINTR;
	}
	return workload_start(r->workload);
}

/* Signals are unblocked only while it sleeps, so that it misses none. */
static int wait_for_end(struct run *r)
{
	sigset_t ends, old;
	int err;

	sigemptyset(&ends);
	sigaddset(&ends, SIGINT);
	sigaddset(&ends, SIGTERM);
	sigaddset(&ends, SIGHUP);
	sigaddset(&ends, SIGALRM);
	sigprocmask(SIG_BLOCK, &ends, &old);
	err = begin(r);
	if (!err)
		watch(r, &old);
	notify_stopping(&r->manager);
	sigprocmask(SIG_SETMASK, &old, NULL);
	return err;
}

/* --- totals --------------------------------------------------------------- */

/* Also completes its card. */
static void end_device(struct run *r, unsigned int device)
{
	const struct cpus *all = session_cpus(r->session);
	struct totals_cpu *cpus = calloc(all->max, sizeof(*cpus));
	struct run_cards_end end = {
		.cause = r->cause, .cpus = cpus, .cpu_count = all->max,
		.dropped = session_lost(r->session, device),
		.time = session_ended(r->session),
	};
	struct courier_lost lost;
	struct audit_result audit;

	if (!cpus)
		return;
	for (unsigned int i = 0; i < all->count; i++) {
		const struct sink_lane *l = session_lane(r->session, device, i);

		cpus[l->cpu] = (struct totals_cpu){ l->events, l->bytes };
	}
	if (session_audit(r->session, device, &audit))
		end.audit = &audit;
	if (r->acked) {
		lost = sink_acked_lost(r->sink, device);
		end.sent = true;
		end.undelivered = lost.records;
		end.undelivered_bytes = lost.bytes;
	}
	if (!r->to_pipe)
		totals_print(&r->out, session_device_name(r->session, device),
			     cpus, all->max, end.dropped);
	run_cards_finish(r->cards, device, &end);
	free(cpus);
}

static bool is_missing(const struct run *r, unsigned int device)
{
	struct audit_result audit;

	return session_audit(r->session, device, &audit) &&
	       audit.verdict == AUDIT_MISSING;
}

static void print_totals(struct run *r)
{
	unsigned int count = session_device_count(r->session);
	uint64_t events, bytes, drops, all = 0;
	char warning[TOTALS_WARNING];

	for (unsigned int i = 0; (!r->to_pipe || r->cards) && i < count; i++)
		end_device(r, i);
	buf_flush(&r->out);
	session_sums(r->session, &events, &bytes, &drops);
	for (unsigned int i = 0; i < count; i++) {
		all += session_lost(r->session, i);
		r->lossy |= is_missing(r, i);
	}
	r->lossy |= all > 0;
	totals_warning(events, all, warning);
	fputs(warning, stderr);
}

/* --- a whole run ---------------------------------------------------------- */

static int set_up(struct run *r)
{
	const struct options *o = r->o;
	const struct via_plan plan = {
		.devices = o->devices,
		.count = (unsigned int)o->device_count,
		.debugfs = o->debugfs,
		.setup = options_setup(o),
		.joined = o->joined,
	};

	return session_set_up(r->session, &plan, o->via);
}

/* Besides what goes to a server. */
static bool has_cards(const struct options *o)
{
	return options_to_files(o) || (o->pack && !o->host);
}

static int prepare(struct run *r)
{
	int err = session_new(&r->session, &reporter);

	if (!err)
		err = keys_open(r->o, &r->tls);
	if (!err)
		err = buf_init(&r->out, STDOUT_FILENO, TEXT_BUFFER);
	if (!err && r->o->host)
		err = find_devices(r->o);
	if (!err && r->o->host)
		err = open_net(r);
	if (!err)
		err = set_up(r);
	if (!err && r->o->cgroup)
		err = cgroups_begin(&r->cgroups, has_cards(r->o));
	if (!err && !r->to_net)
		err = open_sink(r);
	/* 1.3.0's plain protocol has no cards */
	if (!err && (r->tls || r->acked))
		make_cards(r);
	if (!err)
		err = session_take_marks(r->session, MARK_PORT_DIR);
	if (!err)
		err = session_audits(r->session);
	return err;
}

/* All records are in the ring: finishes its dumps. */
static int end_recorder(struct run *r, int failed)
{
	int err = recorder_end(r->recorder);

	if (err == -ETIMEDOUT) {	/* a thread still has them */
		r->cards = NULL;
		r->cgroups.names = NULL;
	}
	r->recorder = NULL;
	r->sink = NULL;
	return failed ? failed : err;
}

/* Sends the first cards, and with --spool connects. */
static int begin_sending(struct run *r)
{
	if (r->acked)
		return sink_acked_begin(r->sink, r->cards);
	if (r->to_net && r->cards)
		r->sent_cards = net_cards_begin(r->sink, r->cards, &reporter);
	return 0;
}

/* What did not reach the server, with --spool. */
static void report_undelivered(struct run *r)
{
	struct courier_lost lost = sink_acked_lost_all(r->sink);

	if (lost.bytes || lost.forgotten)
		r->lossy = true;
	if (lost.bytes)
		msg_warn("%llu events (%llu KiB) did not reach %s",
			 (unsigned long long)lost.records,
			 (unsigned long long)(lost.bytes + 1023) >> 10,
			 sink_acked_host(r->sink));
}

/* A signal that ended the capture does not end the delivery, but the next one
 * does. */
static int deliver_records(struct run *r)
{
	int err;

	*r->stop = false;
	err = sink_acked_settle(r->sink, r->stop);
	report_undelivered(r);
	return err;
}

/* After the totals, which complete the cards. */
static int end_sending(struct run *r)
{
	int err = r->acked && !*r->stop ? sink_acked_end(r->sink, r->stop) : 0;

	net_cards_end(r->sent_cards);
	r->sent_cards = NULL;
	return err;
}

static int capture(struct run *r)
{
	bool live = r->to_pipe || r->to_net || r->recorder;
	int err = session_open(r->session, r->sink, live ?
			       SESSION_IDLE_LIVE : SESSION_IDLE_FILES);
	int begun, failed, undelivered = 0;

	if (err)
		return err;
	begun = err = begin_sending(r);
	if (!err && r->recorder)
		err = recorder_start(r->recorder);
	if (!err)
		err = session_start(r->session);
	if (!err && r->to_net) {
		buf_printf(&r->out, "blktrace: connected!\n");
		buf_flush(&r->out);
	}
	if (!err)
		err = wait_for_end(r);
	failed = session_stop(r->session);
	if (r->recorder)
		failed = end_recorder(r, failed);
	if (err || failed)
		r->cause = "error";
	if (r->acked && !begun)
		undelivered = deliver_records(r);
	print_totals(r);
	if (!begun && !undelivered)
		undelivered = end_sending(r);
	if (!failed)
		failed = undelivered;
	if (r->o->stat)
		r->stat = stat_words(r->o, r->session);
	return err ? err : failed;
}

/* Writes what follows the records. */
static int end_trace(struct run *r)
{
	if (!r->sink || r->to_net || options_rotates(r->o) || r->recorder)
		return 0;
	run_cards_complete(r->cards, r->o->directory, r->sink);
	return r->sink->ops->end ? r->sink->ops->end(r->sink) : 0;
}

static int clean_up(struct run *r)
{
	int err;

	session_free(r->session);
	cgroups_end(&r->cgroups);
	err = end_trace(r);
	if (r->recorder)
		end_recorder(r, 0);
	if (r->sink)
		r->sink->ops->free(r->sink);
	run_cards_free(r->cards);
	cgroup_names_free(r->cgroups.names);
	tls_free(r->tls);
	buf_free(&r->out);
	return err;
}

/* After the trace: prints totals, and waits for a command that continues.  The
 * status: the command's, unless only we have failed. */
static int finish(struct run *r, int err)
{
	bool failed = err || (r->o->strict && r->lossy), shown = true;
	int status;

	if (r->o->strict && r->lossy)
		msg_warn("--strict: the trace is not complete");
	if (r->stat)
		shown = !stat_run(r->stat);
	status = workload_wait(r->workload);
	workload_free(r->workload);
	notify_close(&r->manager);
	return status ? status : failed || !shown;
}

/* Keeps the command's output out of the records' stream. */
static int hold_command(struct run *r)
{
	bool pipe = !options_to_files(r->o) && !r->o->host;

	return r->o->command ?
	       workload_new(&r->workload, r->o->command, r->o->user,
			    pipe ? STDERR_FILENO : STDOUT_FILENO) : 0;
}

int run_capture(const struct options *o, atomic_bool *stop)
{
	struct run r = { .o = o, .stop = stop };
	int err, failed;

	notify_open(&r.manager);
	err = hold_command(&r);
	limit_open_files();
	if (!err)
		err = prepare(&r);
	if (!err)
		err = capture(&r);
	failed = clean_up(&r);
	return finish(&r, err ? err : failed);
}
