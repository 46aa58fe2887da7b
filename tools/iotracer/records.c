/* The bios of the watched files as records; see records.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/msg.h"
#include "bpf/bpf.h"
#include "capture/bpf_cpu.h"
#include "capture/cpus.h"
#include "capture/reporter.h"
#include "capture/sink.h"
#include "capture/sink_file.h"
#include "capture/worker.h"
#include "tools/iotracer/backend.h"
#include "tools/iotracer/records.h"

enum { IDLE_MS = 250 };

/* Called by all threads: msg_warn() writes a line as a whole. */
static void print_line(void *ctx, const char *text)
{
	(void)ctx;
	msg_warn("%s", text);
}

static const struct reporter reporter = { .line = print_line };

struct records {
	struct records_plan plan;
	char *directory;	/* NULL: where we are */
	const char *base;
	struct sink *sink;
	struct workers *workers;
};

/* --- what the threads ask for ------------------------------------------ */

static int open_tap(void *ctx, uint32_t cpu, struct tap **t)
{
	const struct records *r = ctx;
	const struct bpf_cpu_plan plan = {
		.bpf = r->plan.bpf,
		.cpu = cpu,
		.ring = r->plan.ring,
		.devices = &r->plan.device,
		.count = 1,
		.all_to_first = true,
		.stamps = cpu == r->plan.cpus->online[0],
	};
	int err = bpf_cpu_open(t, &plan);

	if (err)
		msg_warn("a ring of %zu KiB for CPU %u: %s", r->plan.ring >> 10,
			 cpu, strerror(-err));
	return err;
}

/* the threads write it into the stream */
static int dropped(void *ctx, unsigned int device, uint64_t *n)
{
	const struct records *r = ctx;

	(void)device;
	*n = r->plan.bpf->config->lost;
	return 0;
}

/* --- setting up -------------------------------------------------------- */

/* NAME may say where the files are to be */
static int open_sink(struct records *r)
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

/* Readers of old stop at the first CPU without a file. */
static int touch_offline(struct records *r)
{
	const struct cpus *c = r->plan.cpus;
	unsigned int next = 0;
	int err = 0;

	for (uint32_t cpu = 0; !err && cpu < c->max; cpu++)
		if (c->online[next] == cpu)
			next++;
		else
			err = r->sink->ops->touch(r->sink, r->base, cpu);
	return err;
}

static int start_workers(struct records *r)
{
	const struct workers_options o = {
		.cpus = r->plan.cpus->online,
		.cpu_count = r->plan.cpus->count,
		.names = &r->base,
		.device_count = 1,
		.sink = r->sink,
		.idle_ms = IDLE_MS,
		.open_tap = open_tap,
		.dropped = dropped,
		.ctx = r,
		.reporter = &reporter,
	};

	return workers_start(&r->workers, &o);
}

/* Calls are watched to know who flushes, and whose some direct I/O is. */
static int attach(struct bpf *b)
{
	int err;

	b->config->levels = 0;
	err = backend_calls(b);
	if (!err)
		err = bpf_attach(b, BPF_RECORDS);
	if (err)
		msg_warn("%s", b->why);
	return err;
}

/* The threads stand before the first record comes. */
static int begin(struct records *r)
{
	int err = open_sink(r);

	r->plan.bpf->config->wake = (uint32_t)r->plan.ring / 4;
	if (!err)
		err = touch_offline(r);
	if (!err)
		err = start_workers(r);
	return err ? err : attach(r->plan.bpf);
}

int records_start(struct records **out, const struct records_plan *plan)
{
	struct records *r = calloc(1, sizeof(*r));
	int err;

	if (!r)
		return -ENOMEM;
	r->plan = *plan;
	err = begin(r);
	if (err && r->workers)
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
	return workers_gone_fd(r->workers);
}

int records_stop(struct records *r)
{
	workers_stop(r->workers);
	return workers_join(r->workers);
}

void records_free(struct records *r)
{
	if (!r)
		return;
	workers_free(r->workers);
	if (r->sink)
		r->sink->ops->free(r->sink);
	free(r->directory);
	free(r);
}
