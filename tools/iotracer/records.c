/* SPDX-License-Identifier: GPL-2.0-only */
/* A capture of watched files; see records.h. */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/msg.h"
#include "bpf/bpf.h"
#include "capture/cpus.h"
#include "capture/from/bpf_cpu.h"
#include "capture/reporter.h"
#include "capture/session.h"
#include "capture/sink.h"
#include "capture/to/sink_file.h"
#include "capture/to/sink_pipe.h"
#include "tools/iotracer/backend.h"
#include "tools/iotracer/calls.h"
#include "tools/iotracer/records.h"

/* Called by all threads; msg_warn() writes whole lines. */
static void print_line(void *ctx, const char *text)
{
	(void)ctx;
	msg_warn("%s", text);
}

static const struct capture_reporter reporter = { .line = print_line };

struct records {
	struct via via;		/* our programs, loaded by the caller */
	struct records_plan plan;
	char *directory;	/* NULL: here */
	const char *base;	/* of files' names */
	struct sink *sink;
	struct session *session;
	bool open;		/* the session's threads run */
};

/* --- the way out of the kernel ----------------------------------------- */

static int open_tap(struct via *v, uint32_t cpu, struct tap **t)
{
	const struct records *r = (const struct records *)v;
	const struct bpf_cpu_plan plan = {
		.bpf = r->plan.bpf,
		.cpu = cpu,
		.ring = r->plan.ring,
		.devices = &r->plan.device,
		.count = 1,
		.all_to_first = true,
		.stamps = cpu == v->cpus->online[0],
		.texts = r->plan.calls ?
			(const char *const *)r->plan.calls->texts : NULL,
		.message = r->plan.calls ? calls_message : NULL,
		.ctx = r->plan.calls,
	};
	int err = bpf_cpu_open(t, &plan);

	if (err)
		msg_warn("a ring of %zu KiB for CPU %u: %s", r->plan.ring >> 10,
			 cpu, strerror(-err));
	return err;
}

/* For the threads, which write it into the stream. */
static int get_dropped(struct via *v, unsigned int device, uint64_t *n)
{
	const struct records *r = (const struct records *)v;

	(void)device;
	*n = r->plan.bpf->config->lost;
	return 0;
}

/* The caller has loaded the programs, and detaches and frees them. */
static int leave_to_caller(struct via *v)
{
	(void)v;
	return 0;
}

static void free_nothing(struct via *v)
{
	(void)v;
}

/* Calls show which process flushes or does direct I/O; or they are wanted. */
static int attach(struct via *v)
{
	const struct records *r = (const struct records *)v;
	struct bpf *b = r->plan.bpf;
	int err;

	b->config->levels = r->plan.calls ? LEVEL_BIT(LEVEL_SYNC) : 0;
	err = r->plan.calls ? backend_syncs(b) : backend_calls(b);
	if (!err)
		err = bpf_attach(b, BPF_RECORDS);
	if (err)
		msg_warn("%s", b->why);
	return err;
}

static const struct via_ops records_ops = {
	.set_up = leave_to_caller,
	.open_tap = open_tap,
	.start = attach,
	.stop = leave_to_caller,
	.dropped = get_dropped,
	.tear_down = free_nothing,
};

/* --- setting up -------------------------------------------------------- */

/* NAME may start with a directory. */
static int open_files(struct records *r)
{
	const char *slash = strrchr(r->plan.name, '/');
	struct sink_file_options o = { .reporter = &reporter };

	r->base = slash ? slash + 1 : r->plan.name;
	if (slash) {
		size_t len = (size_t)(slash - r->plan.name);

		r->directory = strndup(r->plan.name, len ? len : 1);
		if (!r->directory)
			return -ENOMEM;
	}
	o.directory = r->directory;
	o.base = r->base;
	return sink_file_new(&r->sink, &o);
}

static int open_sink(struct records *r)
{
	if (r->plan.name)
		return open_files(r);
	r->sink = sink_pipe_new(r->plan.out, &reporter);
	return r->sink ? 0 : -ENOMEM;
}

static int open_session(struct records *r)
{
	int err = session_new(&r->session, &reporter);

	r->via = (struct via){ .ops = &records_ops, .names = &r->base,
			       .count = 1 };
	if (!err)
		err = session_set_up_by(r->session, &r->via);
	if (!err)
		err = session_open(r->session, r->sink, SESSION_IDLE_LIVE);
	r->open = !err;
	return err;
}

/* Starts the threads before the first record. */
static int begin(struct records *r)
{
	int err = open_sink(r);

	r->plan.bpf->config->wake = (uint32_t)r->plan.ring / 4;
	if (!err)
		err = open_session(r);
	return err ? err : session_start(r->session);
}

int records_start(struct records **out, const struct records_plan *plan)
{
	struct records *r = calloc(1, sizeof(*r));
	int err;

	if (!r)
		return -ENOMEM;
	r->plan = *plan;
	r->base = "commits";
	err = begin(r);
	if (err && r->open)
		records_stop(r);
	if (err)
		records_free(r);
	else
		*out = r;
	return err;
}

/* --- the end ----------------------------------------------------------- */

int records_gone_fd(const struct records *r)
{
	return session_gone_fd(r->session);
}

int records_stop(struct records *r)
{
	return session_stop(r->session);
}

void records_free(struct records *r)
{
	if (!r)
		return;
	session_free(r->session);
	if (r->sink)
		r->sink->ops->free(r->sink);
	free(r->directory);
	free(r);
}
