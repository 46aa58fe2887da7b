/* SPDX-License-Identifier: GPL-2.0-only */
/* Tracing for a picture; see live.h. */
#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/msg.h"
#include "base/time.h"
#include "blktrace.h"
#include "capture/doctor.h"
#include "capture/reporter.h"
#include "capture/session.h"
#include "capture/sink.h"
#include "capture/to/sink_file.h"
#include "tools/iowatcher/cpu_sampler.h"
#include "tools/iowatcher/live.h"
#include "tools/iowatcher/program.h"

/* 1.3.0: blktrace -b 8192 -a queue -a complete -a issue -a notify */
enum {
	BUFFER_BYTES = 8192 << 10, BUFFERS = 4,
	MASK = BLK_TC_BIT(BLK_TC_QUEUE) | BLK_TC_BIT(BLK_TC_COMPLETE) |
	       BLK_TC_BIT(BLK_TC_ISSUE) | BLK_TC_BIT(BLK_TC_NOTIFY),
};

enum { SAMPLE_MS = 1000 };

struct live {
	const struct live_plan *plan;
	struct session *session;
	struct sink *sink;
	FILE *cpus;
	struct cpu_sampler sampler;
	bool sampled;		/* at least once */
	struct program program;
};

/* Called by all threads: msg_warn() writes a line as a whole. */
static void print_line(void *ctx, const char *text)
{
	(void)ctx;
	msg_warn("%s", text);
}

static const struct capture_reporter reporter = { .line = print_line };

/* --- setting up ----------------------------------------------------------- */

static int open_files(struct live *l)
{
	const struct sink_file_options fo = {
		.directory = l->plan->directory,
		.base = l->plan->base,
		.reporter = &reporter,
	};
	char text[DOCTOR_TEXT];

	if (doctor_output(text, fo.directory, fo.base)) {
		msg_warn("%s", text);
		return -EACCES;
	}
	for (unsigned int i = 0; i < l->plan->count; i++)
		if (doctor_feedback(text, fo.directory, fo.base,
				    l->plan->devices[i]))
			msg_warn("%s", text);
	return sink_file_new(&l->sink, &fo);
}

static int open_cpus(struct live *l)
{
	int err;

	l->cpus = fopen(l->plan->cpu_path, "we");
	err = l->cpus ? cpu_sampler_init(&l->sampler, l->cpus) : -errno;
	if (err) {
		errno = -err;
		msg_warn("cannot write %s:", l->plan->cpu_path);
	}
	return err;
}

static int set_up(struct live *l)
{
	const struct via_plan plan = {
		.devices = l->plan->devices,
		.count = l->plan->count,
		.debugfs = "/sys/kernel/debug",
		.setup = { .mask = MASK, .buf_size = BUFFER_BYTES,
			   .buf_nr = BUFFERS },
	};
	int err = session_new(&l->session, &reporter);

	if (err)
		msg_warn("out of memory");
	if (!err)
		err = session_set_up(l->session, &plan, VIA_AUTO);
	if (!err)
		err = open_files(l);
	if (!err)
		err = session_open(l->session, l->sink, SESSION_IDLE_FILES);
	if (!err)
		err = open_cpus(l);
	return err;
}

/* --- while it is traced --------------------------------------------------- */

/* That a sample could not be written is reported once, and no reason to end. */
static void take_sample(struct live *l)
{
	int err;

	if (!l->cpus)
		return;
	err = cpu_sampler_next(&l->sampler);
	l->sampled = true;
	if (!err)
		return;
	errno = -err;
	msg_warn("cannot write %s:", l->plan->cpu_path);
	fclose(l->cpus);
	l->cpus = NULL;
}

/* Sleeps until a signal, a thread that has ended, or so many ms have passed.
 * Whether it was a thread. */
static bool sleep_for(const struct live *l, int64_t ms, const sigset_t *mask)
{
	struct timespec limit = { ms / 1000, ms % 1000 * 1000000L };
	struct pollfd fd = { .fd = session_gone_fd(l->session),
			     .events = POLLIN };

	return ppoll(&fd, 1, &limit, mask) > 0;
}

static void watch(struct live *l, const sigset_t *mask)
{
	int64_t due = time_now_ms() + SAMPLE_MS;

	while (!*l->plan->stop &&
	       !(l->plan->program && program_ended(&l->program))) {
		int64_t left = due - time_now_ms();

		if (left > 0 && sleep_for(l, left, mask))
			return;
		if (time_now_ms() < due)
			continue;
		take_sample(l);
		due += SAMPLE_MS;
	}
}

/* Signals come in while we sleep and at no other time: none is missed. */
static void wait_for_end(struct live *l)
{
	static const int ends[] = { SIGINT, SIGTERM, SIGHUP, SIGCHLD };
	sigset_t block, old;

	sigemptyset(&block);
	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++)
		sigaddset(&block, ends[i]);
	sigprocmask(SIG_BLOCK, &block, &old);
	watch(l, &old);
	sigprocmask(SIG_SETMASK, &old, NULL);
	if (*l->plan->stop)
		msg_warn("Received signal %d. Terminating tracers.",
			 (int)*l->plan->stop);
}

static int begin(struct live *l)
{
	if (l->plan->program)
		return program_start(&l->program, l->plan->program);
	msg_warn("Tracing until interrupted...");
	return 0;
}

static int trace(struct live *l)
{
	int err = session_start(l->session), failed;

	if (!err)
		err = begin(l);
	if (!err)
		wait_for_end(l);
	/* of what took less than a second there is one sample */
	if (!err && !l->sampled)
		take_sample(l);
	failed = session_stop(l->session);
	program_end(&l->program, *l->plan->stop);
	return err ? err : failed;
}

int live_run(const struct live_plan *plan)
{
	struct live l = { .plan = plan };
	int err = set_up(&l);

	if (!err)
		err = trace(&l);
	session_free(l.session);
	if (l.sink)
		l.sink->ops->free(l.sink);
	if (l.cpus)
		fclose(l.cpus);
	cpu_sampler_free(&l.sampler);
	return err;
}
