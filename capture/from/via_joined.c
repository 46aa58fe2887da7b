/* SPDX-License-Identifier: GPL-2.0-only */
/* Records by eBPF, joined: programs that write one record for an I/O's events. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "blktrace.h"
#include "bpf/joined.h"
#include "capture/blkdev.h"
#include "capture/cpus.h"
#include "capture/from/joined_cpu.h"
#include "capture/reporter.h"
#include "capture/via.h"

enum {
	RINGS_MAX = 1 << 24,	/* records of all rings: 1 GiB */
};

struct by_joined {
	struct via via;
	struct joined joined;
	struct joined_run *run;
	bool loaded;
	pthread_mutex_t links;	/* of programs */
	uint32_t *numbers;	/* of the devices */
	char (*texts)[BLKDEV_NAME];	/* their files' names */
	int *holds;		/* open, or -1 */
};

/* A device that is open stays, and with it the queue by which programs know it. */
static int find_device(struct by_joined *b, unsigned int i)
{
	const char *path = b->via.plan->devices[i];
	int err = blkdev_find(path, &b->numbers[i], b->texts[i],
			      b->via.plan->reporter);

	b->via.names[i] = b->texts[i];
	b->holds[i] = err ? -1 : open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	return err;
}

static int trace_device(struct by_joined *b, unsigned int i)
{
	const struct capture_reporter *r = b->via.plan->reporter;
	const char *path = b->via.plan->devices[i];
	struct blkdev_place at;
	int err = blkdev_get_place(path, b->numbers[i], &at, r);
	struct joined_device device = { .device = i };

	if (err)
		return err;
	device.whole = at.disk == b->numbers[i] && b->holds[i] >= 0;
	device.start = at.start;
	device.end = at.end;
	err = joined_trace_device(&b->joined, at.disk, &device);
	if (err == -EEXIST)
		reporter_write(r, "%s: a disk and its partitions have one trace"
			       " at a time", path);
	else if (err)
		reporter_write(r, "%s", b->joined.why);
	return err;
}

/* The power of two of records in a ring, as many bytes as are requested. */
static unsigned int ring_bits(const struct via *v)
{
	uint64_t want = via_buffer_bytes(v) / sizeof(struct joined_record);
	uint64_t all = v->cpus->max;
	unsigned int bits = 0;

	while (UINT64_C(1) << bits < JOINED_RING_MIN ||
	       (UINT64_C(1) << bits < want && all << (bits + 1) <= RINGS_MAX))
		bits++;
	return bits;
}

static int load(struct by_joined *b)
{
	const struct via *v = &b->via;
	int err = joined_load(&b->joined, v->cpus->max, ring_bits(v));
	uint32_t mask = v->plan->setup.mask & UINT16_MAX;
	const struct joined_plan plan = {
		.joined = &b->joined,
		.cpus = v->cpus,
		.devices = b->numbers,
		.count = v->count,
		.mask = mask ? mask : UINT16_MAX,
	};

	if (err) {
		reporter_write(v->plan->reporter, "%s", b->joined.why);
		return err;
	}
	b->loaded = true;
	return joined_run_new(&b->run, &plan);
}

static int by_joined_set_up(struct via *v)
{
	struct by_joined *b = (struct by_joined *)v;
	size_t n = v->plan->count;
	int err = 0;

	b->numbers = calloc(n, sizeof(*b->numbers));
	b->texts = calloc(n, sizeof(*b->texts));
	b->holds = calloc(n, sizeof(*b->holds));
	v->names = calloc(n, sizeof(*v->names));
	if (!b->numbers || !b->texts || !b->holds || !v->names)
		return -ENOMEM;
	for (; !err && v->count < n; v->count++)
		err = find_device(b, v->count);
	if (!err)
		err = load(b);
	for (unsigned int i = 0; !err && i < v->count; i++)
		err = trace_device(b, i);
	return err;
}

static int by_joined_open_tap(struct via *v, uint32_t cpu, struct tap **t)
{
	struct by_joined *b = (struct by_joined *)v;
	int err = joined_cpu_open(t, b->run, cpu);

	if (err)
		reporter_write(v->plan->reporter, "a ring for CPU %u: %s", cpu,
			       strerror(-err));
	return err;
}

static int by_joined_start(struct via *v)
{
	struct by_joined *b = (struct by_joined *)v;
	uint32_t mask = v->plan->setup.mask & UINT16_MAX;
	int err = joined_attach(&b->joined, mask ? mask : UINT16_MAX);

	if (err)
		reporter_write(v->plan->reporter, "%s", b->joined.why);
	return err;
}

static int by_joined_stop(struct via *v)
{
	struct by_joined *b = (struct by_joined *)v;

	pthread_mutex_lock(&b->links);
	joined_detach(&b->joined);
	pthread_mutex_unlock(&b->links);
	return joined_run_stop(b->run);
}

/* Their devices are unknown: the first device has them all. */
static int by_joined_dropped(struct via *v, unsigned int device, uint64_t *n)
{
	struct by_joined *b = (struct by_joined *)v;

	*n = device ? 0 : joined_lost(&b->joined);
	pthread_mutex_lock(&b->links);
	joined_attach_seconds(&b->joined);
	pthread_mutex_unlock(&b->links);
	return 0;
}

static void by_joined_tear_down(struct via *v)
{
	struct by_joined *b = (struct by_joined *)v;

	joined_run_free(b->run);
	pthread_mutex_destroy(&b->links);
	if (b->loaded)
		joined_free(&b->joined);
	for (unsigned int i = 0; i < v->count; i++)
		if (b->holds[i] >= 0)
			close(b->holds[i]);
	free(b->holds);
	free(b->numbers);
	free(b->texts);
	free(v->names);
	free(b);
}

static const struct via_ops joined_ops = {
	.name = "bpf",
	.set_up = by_joined_set_up,
	.open_tap = by_joined_open_tap,
	.start = by_joined_start,
	.stop = by_joined_stop,
	.dropped = by_joined_dropped,
	.tear_down = by_joined_tear_down,
};

struct via *via_joined(const struct via_plan *plan)
{
	struct by_joined *b = calloc(1, sizeof(*b));

	if (!b)
		return NULL;
	pthread_mutex_init(&b->links, NULL);
	b->via = (struct via){ .ops = &joined_ops, .plan = plan,
			       .version = BLK_VERSION_7 };
	return &b->via;
}
