/* SPDX-License-Identifier: GPL-2.0-only */
/* Records by ftrace: tracefs' blk tracer, where relay files are refused. */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/sysfs.h"
#include "blktrace.h"
#include "capture/blkdev.h"
#include "capture/cpus.h"
#include "capture/doctor.h"
#include "capture/from/ftrace.h"
#include "capture/from/ftrace_cpu.h"
#include "capture/reporter.h"
#include "capture/span.h"
#include "capture/tap.h"
#include "capture/via.h"

/* of the kernel's ring, which only we use while tracing */
enum { BUFFER_MAX = 256 << 20 };

struct by_ftrace {
	struct via via;
	struct ftrace *f;
	uint32_t *numbers;	/* of the devices */
	char (*texts)[BLKDEV_NAME];	/* their files' names */
	int *holds;		/* open, or -1 */
};

static int find_device(struct by_ftrace *b, unsigned int i, const char *path)
{
	int err = blkdev_find(path, &b->numbers[i], b->texts[i],
			      b->via.plan->reporter);

	b->via.names[i] = b->texts[i];
	b->holds[i] = err ? -1 : blkdev_open(path, b->numbers[i]);
	return err;
}

static size_t buffer_of(const struct via *v)
{
	uint64_t all = via_buffer_bytes(v);

	return all < BUFFER_MAX ? (size_t)all : BUFFER_MAX;
}

static int make_trace(struct by_ftrace *b)
{
	struct via *v = &b->via;
	char tracefs[FTRACE_PATH], why[FTRACE_WHY] = "";
	struct ftrace_plan plan = {
		.tracefs = tracefs,
		.devices = b->numbers,
		.names = v->names,
		.count = v->count,
		.reporter = v->plan->reporter,
		.mask = v->plan->setup.mask & VERSION_7_MASK,
		.buffer = buffer_of(v),
	};
	struct patient p = { .path = v->plan->devices[0],
			     .debugfs = v->plan->debugfs };
	int err = ftrace_find(tracefs);

	if (!err)
		err = ftrace_new(&b->f, &plan, why);
	if (!err)
		return 0;
	p.why = why;
	doctor_explain(v->why, &p, STAGE_FTRACE, -err);
	return -EOPNOTSUPP;
}

/* The tracer always writes version 7. */
static int check_version(const struct via *v)
{
	const struct kernel_setup *want = &v->plan->setup;
	char note[RECORD_VERSION_NOTE];

	if (record_version_note(note, want->mask, want->version,
				BLK_VERSION_7))
		reporter_write(v->plan->reporter, "through ftrace %s", note);
	return version_7_has_none(want->mask) ? -EINVAL : 0;
}

static int by_ftrace_set_up(struct via *v)
{
	struct by_ftrace *b = (struct by_ftrace *)v;
	size_t n = v->plan->count;
	int err = check_version(v);

	if (err)
		return err;
	b->numbers = calloc(n, sizeof(*b->numbers));
	b->texts = calloc(n, sizeof(*b->texts));
	b->holds = calloc(n, sizeof(*b->holds));
	v->names = calloc(n, sizeof(*v->names));
	if (!b->numbers || !b->texts || !b->holds || !v->names)
		return -ENOMEM;
	for (; !err && v->count < n; v->count++)
		err = find_device(b, v->count, v->plan->devices[v->count]);
	return err ? err : make_trace(b);
}

static int by_ftrace_open_tap(struct via *v, uint32_t cpu, struct tap **t)
{
	struct by_ftrace *b = (struct by_ftrace *)v;
	int err = ftrace_cpu_open(t, b->f, cpu, cpu == v->cpus->online[0]);

	if (err)
		reporter_write(v->plan->reporter, "cannot read CPU %u's"
			       " trace_pipe: %s", cpu, strerror(-err));
	return err;
}

static int by_ftrace_start(struct via *v)
{
	int err = ftrace_start(((struct by_ftrace *)v)->f);

	if (err)
		reporter_write(v->plan->reporter, "cannot start the blk tracer:"
			       " %s", strerror(-err));
	return err;
}

static bool is_there(uint32_t device)
{
	char place[SYSFS_PATH];

	return !sysfs_place(makedev(BLK_MAJOR(device), BLK_MINOR(device)),
			    place);
}

/* Devices share the pipes, which stay open when one goes. */
static int by_ftrace_stop(struct via *v)
{
	struct by_ftrace *b = (struct by_ftrace *)v;
	int err = 0;

	for (unsigned int i = 0; i < v->count; i++) {
		if (is_there(b->numbers[i]))
			continue;
		reporter_write(v->plan->reporter, "%s: its trace has ended: the"
			       " device is gone", v->names[i]);
		err = -ENODEV;
	}
	ftrace_stop(b->f);
	return err;
}

static uint64_t by_ftrace_lost(struct via *v, unsigned int device)
{
	return ftrace_lost(((struct by_ftrace *)v)->f, device);
}

static void by_ftrace_tear_down(struct via *v)
{
	struct by_ftrace *b = (struct by_ftrace *)v;
	char why[FTRACE_WHY] = "";

	if (b->f && ftrace_skipped(b->f))
		reporter_write(v->plan->reporter, "%llu bytes of the trace"
			       " pipes were no records",
			       (unsigned long long)ftrace_skipped(b->f));
	if (ftrace_free(b->f, why))
		reporter_write(v->plan->reporter, "cannot restore all of"
			       " tracefs' settings: %s", why);
	for (unsigned int i = 0; i < v->count; i++)
		if (b->holds[i] >= 0)
			close(b->holds[i]);
	free(b->holds);
	free(b->numbers);
	free(b->texts);
	free(v->names);
	free(b);
}

static const struct via_ops ftrace_ops = {
	.name = "ftrace",
	.set_up = by_ftrace_set_up,
	.open_tap = by_ftrace_open_tap,
	.start = by_ftrace_start,
	.stop = by_ftrace_stop,
	.lost = by_ftrace_lost,
	.tear_down = by_ftrace_tear_down,
};

struct via *via_ftrace(const struct via_plan *plan)
{
	struct by_ftrace *b = calloc(1, sizeof(*b));

	if (!b)
		return NULL;
	b->via = (struct via){ .ops = &ftrace_ops, .plan = plan,
			       .version = BLK_VERSION_7 };
	return &b->via;
}
