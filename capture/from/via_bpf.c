/* SPDX-License-Identifier: GPL-2.0-only */
/* Records by eBPF: our programs at the block layer's tracepoints. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "blktrace.h"
#include "bpf/bpf.h"
#include "capture/blkdev.h"
#include "capture/cpus.h"
#include "capture/from/bpf_cpu.h"
#include "capture/reporter.h"
#include "capture/via.h"

/* of a CPU's ring, which takes kernel memory at once */
enum { RING_MIN = 64 << 10, RING_MAX = 64 << 20 };

struct by_bpf {
	struct via via;
	struct bpf bpf;
	bool loaded;
	size_t ring;
	uint32_t *numbers;	/* of the devices */
	char (*texts)[BLKDEV_NAME];	/* their files' names */
};

static int find_device(struct by_bpf *b, const char *path)
{
	unsigned int i = b->via.count;
	int err = blkdev_find(path, &b->numbers[i], b->texts[i],
			      b->via.plan->reporter);

	b->via.names[i] = b->texts[i];
	b->via.count += !err;
	return err;
}

static int trace_device(struct by_bpf *b, unsigned int i)
{
	const struct capture_reporter *r = b->via.plan->reporter;
	const char *path = b->via.plan->devices[i];
	struct bpf_device device = { .number = b->numbers[i] };
	struct blkdev_place at;
	int err = blkdev_get_place(path, b->numbers[i], &at, r);

	if (err)
		return err;
	device.start = at.start;
	device.end = at.end;
	err = bpf_trace_device(&b->bpf, at.disk, &device);
	if (err == -EEXIST)
		reporter_write(r, "%s: a disk and its partitions have one trace"
			       " at a time", path);
	else if (err)
		reporter_write(r, "%s", b->bpf.why);
	return err;
}

static size_t ring_of(const struct via *v)
{
	uint64_t all = via_buffer_bytes(v);
	size_t size = RING_MIN;

	while (size < RING_MAX && size < all)
		size *= 2;
	return size;
}

static int load(struct by_bpf *b)
{
	uint32_t mask = b->via.plan->setup.mask & UINT16_MAX;
	int err = bpf_load(&b->bpf, false);

	if (err) {
		reporter_write(b->via.plan->reporter, "%s", b->bpf.why);
		return err;
	}
	b->loaded = true;
	b->ring = ring_of(&b->via);
	b->bpf.config->all = 1;
	b->bpf.config->mask = mask ? mask : UINT16_MAX;
	b->bpf.config->wake = (uint32_t)b->ring / 4;
	return 0;
}

static int by_bpf_set_up(struct via *v)
{
	struct by_bpf *b = (struct by_bpf *)v;
	size_t n = v->plan->count;
	int err = 0;

	b->numbers = calloc(n, sizeof(*b->numbers));
	b->texts = calloc(n, sizeof(*b->texts));
	v->names = calloc(n, sizeof(*v->names));
	if (!b->numbers || !b->texts || !v->names)
		return -ENOMEM;
	for (size_t i = 0; !err && i < n; i++)
		err = find_device(b, v->plan->devices[i]);
	if (!err)
		err = load(b);
	for (unsigned int i = 0; !err && i < v->count; i++)
		err = trace_device(b, i);
	return err;
}

static int by_bpf_open_tap(struct via *v, uint32_t cpu, struct tap **t)
{
	struct by_bpf *b = (struct by_bpf *)v;
	const struct bpf_cpu_plan plan = {
		.bpf = &b->bpf,
		.cpu = cpu,
		.ring = b->ring,
		.devices = b->numbers,
		.count = v->count,
		.stamps = cpu == v->cpus->online[0],
	};
	int err = bpf_cpu_open(t, &plan);

	if (err)
		reporter_write(v->plan->reporter, "a ring of %zu KiB for CPU"
			       " %u: %s", b->ring >> 10, cpu, strerror(-err));
	return err;
}

static int by_bpf_start(struct via *v)
{
	struct by_bpf *b = (struct by_bpf *)v;
	int err = bpf_attach(&b->bpf, BPF_RECORDS);

	if (err)
		reporter_write(v->plan->reporter, "%s", b->bpf.why);
	return err;
}

static int by_bpf_stop(struct via *v)
{
	bpf_detach(&((struct by_bpf *)v)->bpf);
	return 0;
}

/* Their devices are unknown: the first device has them all. */
static int by_bpf_dropped(struct via *v, unsigned int device, uint64_t *n)
{
	const struct bpf *b = &((struct by_bpf *)v)->bpf;

	*n = device ? 0 : bpf_lost(b) + bpf_missed(b);
	return 0;
}

static void by_bpf_tear_down(struct via *v)
{
	struct by_bpf *b = (struct by_bpf *)v;

	if (b->loaded)
		bpf_free(&b->bpf);
	free(b->numbers);
	free(b->texts);
	free(v->names);
	free(b);
}

static const struct via_ops bpf_ops = {
	.name = "bpf",
	.set_up = by_bpf_set_up,
	.open_tap = by_bpf_open_tap,
	.start = by_bpf_start,
	.stop = by_bpf_stop,
	.dropped = by_bpf_dropped,
	.tear_down = by_bpf_tear_down,
};

struct via *via_bpf(const struct via_plan *plan)
{
	struct by_bpf *b = calloc(1, sizeof(*b));

	if (!b)
		return NULL;
	b->via = (struct via){ .ops = &bpf_ops, .plan = plan,
			       .version = BLK_VERSION_7 };
	return &b->via;
}
