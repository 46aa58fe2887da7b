/* SPDX-License-Identifier: GPL-2.0-only */
/* Records by relay files: set-up ioctls on each device, then debugfs. */
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "blktrace.h"
#include "capture/cpus.h"
#include "capture/doctor.h"
#include "capture/from/relay.h"
#include "capture/kernel.h"
#include "capture/reporter.h"
#include "capture/span.h"
#include "capture/tap.h"
#include "capture/via.h"

struct by_relay {
	struct via via;
	struct kernel_trace *targets;
	struct relay_place place;
	struct relay_shared shared;
};

static struct patient patient_of(const struct by_relay *r, const char *path)
{
	return (struct patient){
		.path = path,
		.debugfs = r->via.plan->debugfs,
		.buf_size = r->via.plan->setup.buf_size,
		.buf_nr = r->via.plan->setup.buf_nr,
		.cpus = r->via.cpus->count,
		.devices = r->via.plan->count,
		.why = "",
		.tries_ftrace = r->via.plan->tries_ftrace,
	};
}

static int fail(const struct by_relay *r, const char *path, enum stage stage,
		int err)
{
	const struct patient p = patient_of(r, path);
	char text[DOCTOR_TEXT];

	doctor_explain(text, &p, stage, -err);
	reporter_write(r->via.plan->reporter, "%s", text);
	return err;
}

static int open_targets(struct by_relay *r)
{
	struct via *v = &r->via;

	for (unsigned int i = 0; i < v->plan->count; i++) {
		struct kernel_trace *t = &r->targets[i];
		int err = kernel_open(t, v->plan->devices[i]);

		if (err)
			return fail(r, t->path, STAGE_OPEN, err);
		v->names[v->count++] = t->name;
	}
	return 0;
}

/* For all devices, before the first takes memory. */
static int look_for_room(const struct by_relay *r)
{
	const char *first = r->via.plan->devices[0];
	const struct patient p = patient_of(r, first);

	return doctor_too_much(&p) ? fail(r, first, STAGE_SETUP, -ENOMEM) : 0;
}

/* Tries all, so that one run reports all failures. */
static int set_up_targets(struct by_relay *r)
{
	int failed = 0;

	for (unsigned int i = 0; i < r->via.count; i++) {
		struct kernel_trace *t = &r->targets[i];
		int err = kernel_set_up(t, &r->via.plan->setup);

		if (err) {
			fail(r, t->path, STAGE_SETUP, err);
			/* only try_relay() may find this way closed */
			failed = err == -EOPNOTSUPP ? -EINVAL : err;
		}
	}
	return failed;
}

/* Opens a first file, as the kernel may set up a trace and still deny reading
 * it. */
static int try_relay(struct by_relay *r)
{
	struct via *v = &r->via;
	struct tap *t;
	unsigned int which;
	int err = relay_open(&t, &r->place, v->cpus->online[0], &which);

	if (err) {
		const struct patient p = patient_of(r, r->targets[which].path);

		doctor_explain(v->why, &p, STAGE_RELAY, -err);
		return -EOPNOTSUPP;
	}
	t->ops->close(t);
	return 0;
}

/* Only after this way has been taken: others have other versions. */
static void report_versions(struct by_relay *r)
{
	const struct kernel_setup *want = &r->via.plan->setup;
	char note[RECORD_VERSION_NOTE];

	r->via.version = r->via.count ? r->targets[0].version : 0;
	for (unsigned int i = 0; i < r->via.count; i++)
		if (record_version_note(note, want->mask, want->version,
					r->targets[i].version))
			reporter_write(r->via.plan->reporter, "%s: %s",
				       r->targets[i].path, note);
}

static int relay_set_up(struct via *v)
{
	struct by_relay *r = (struct by_relay *)v;
	int err;

	r->targets = calloc(v->plan->count, sizeof(*r->targets));
	v->names = calloc(v->plan->count, sizeof(*v->names));
	if (!r->targets || !v->names)
		return -ENOMEM;
	err = open_targets(r);
	if (!err)
		err = look_for_room(r);
	if (!err)
		err = set_up_targets(r);
	r->place = (struct relay_place){ v->plan->debugfs, v->names, v->count,
					 &r->shared };
	if (!err)
		err = try_relay(r);
	if (!err)
		report_versions(r);
	v->takes_marks = !v->plan->setup.mask ||
			 v->plan->setup.mask & BLK_TC_BIT(BLK_TC_NOTIFY);
	return err;
}

static int relay_open_tap(struct via *v, uint32_t cpu, struct tap **t)
{
	struct by_relay *r = (struct by_relay *)v;
	unsigned int which;
	int err = relay_open(t, &r->place, cpu, &which);

	if (err)
		reporter_write(v->plan->reporter, "Thread %u failed open"
			       " %s/block/%s/trace%u: %d/%s", cpu,
			       v->plan->debugfs, v->names[which], cpu, -err,
			       strerror(-err));
	return err;
}

static int relay_start(struct via *v)
{
	struct by_relay *r = (struct by_relay *)v;
	int failed = 0;

	for (unsigned int i = 0; i < v->count; i++) {
		int err = kernel_start(&r->targets[i]);

		if (err) {
			reporter_write(v->plan->reporter, "BLKTRACESTART %s"
				       " failed: %d/%s", r->targets[i].path,
				       -err, strerror(-err));
			failed = err;
		}
	}
	return failed;
}

/* The threads that read its files report a device that has gone. */
static int relay_stop(struct via *v)
{
	struct by_relay *r = (struct by_relay *)v;

	relay_shared_shut(&r->shared);
	for (unsigned int i = 0; i < v->count; i++)
		kernel_stop(&r->targets[i]);
	relay_shared_reopen(&r->shared);
	return 0;
}

static int relay_dropped(struct via *v, unsigned int device, uint64_t *n)
{
	return kernel_dropped(v->plan->debugfs, v->names[device], n);
}

static void report_foreign(struct by_relay *r)
{
	unsigned long long bytes = atomic_load(&r->shared.foreign);

	if (bytes)
		reporter_write(r->via.plan->reporter, "%llu bytes of the relay"
			       " files were no records", bytes);
}

static void relay_tear_down(struct via *v)
{
	struct by_relay *r = (struct by_relay *)v;

	report_foreign(r);
	for (unsigned int i = 0; i < v->count; i++)
		kernel_close(&r->targets[i]);
	relay_shared_free(&r->shared);
	free(r->targets);
	free(v->names);
	free(r);
}

static const struct via_ops relay_ops = {
	.name = "relay",
	.set_up = relay_set_up,
	.open_tap = relay_open_tap,
	.start = relay_start,
	.stop = relay_stop,
	.dropped = relay_dropped,
	.tear_down = relay_tear_down,
};

struct via *via_relay(const struct via_plan *plan)
{
	struct by_relay *r = calloc(1, sizeof(*r));

	if (!r)
		return NULL;
	r->via = (struct via){ .ops = &relay_ops, .plan = plan };
	relay_shared_init(&r->shared);
	return &r->via;
}
