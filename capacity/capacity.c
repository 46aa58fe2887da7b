/* SPDX-License-Identifier: GPL-2.0-only */
/* Capacities of devices; see capacity.h. */
#include <errno.h>
#include <stdlib.h>

#include "base/hint.h"
#include "capacity/capacity.h"
#include "request/io.h"
#include "request/level_watcher.h"
#include "run/device.h"
#include "run/window.h"

struct capacity {
	struct level_watcher watcher;
	struct window window;
	uint64_t target;	/* or 0 */
	bool starved;
	struct capacity_device list[CAPACITY_DEVICES];	/* by id */
};

static COLD struct levels *begin(struct capacity *c, uint32_t id)
{
	if (levels_new(&c->list[id].levels, &c->window,
		       c->target ? c->target : UINT64_MAX))
		c->starved = true;
	return c->list[id].levels;
}

/* NULL: it is one too many, or there is no memory */
static inline struct levels *levels_of(struct capacity *c,
				       const struct device *disk)
{
	if (UNLIKELY(!disk || disk->id >= CAPACITY_DEVICES))
		return NULL;
	if (UNLIKELY(!c->list[disk->id].levels))
		return begin(c, disk->id);
	return c->list[disk->id].levels;
}

static uint32_t come(void *ctx, const struct device *disk, uint64_t time)
{
	struct levels *l = levels_of(ctx, disk);

	return LIKELY(l) ? levels_come(l, time) : 1;
}

static void go(void *ctx, const struct device *disk, uint64_t time,
	       uint64_t came, bool absorbed)
{
	struct levels *l = levels_of(ctx, disk);

	if (LIKELY(l))
		levels_go(l, time, came, absorbed);
}

int capacity_new(struct capacity **out, const struct window *w, uint64_t target)
{
	struct capacity *c = calloc(1, sizeof(*c));

	*out = c;
	if (!c)
		return -ENOMEM;
	c->watcher = (struct level_watcher){ come, go, c, NULL };
	c->window = *w;
	c->target = target;
	return 0;
}

const struct level_watcher *capacity_watcher(const struct capacity *c)
{
	return &c->watcher;
}

int capacity_add(struct capacity *c, const struct io *io)
{
	struct levels *l = levels_of(c, io->disk);
	int err = 0;

	if (UNLIKELY(c->starved))
		return -ENOMEM;
	if (UNLIKELY(!l))
		return 0;
	c->list[io->disk->id].number = io->device;
	if (io_completed(io) && io_in_window(io, &c->window))
		err = mix_add(&c->list[io->disk->id].mix, io);
	return err ? err : levels_add(l, io);
}

/* Depths with I/Os that never completed are not what the device had. */
static int find_facts(const struct capacity *c, struct capacity_device *d)
{
	struct capacity_facts *f = &d->facts;

	levels_sums(d->levels, &f->sums);
	knee_of(&f->knee, d->levels);
	if (!levels_little(&f->sums))
		f->knee.state = KNEE_DOUBTFUL;
	headroom_find(&f->headroom, d->levels, &f->knee, c->target);
	return limits_find(&f->limits, d->levels, &f->knee, &d->mix);
}

int capacity_end(struct capacity *c, uint64_t end)
{
	int err = 0;

	for (uint32_t i = 0; !err && i < CAPACITY_DEVICES; i++) {
		if (!c->list[i].levels)
			continue;
		levels_end(c->list[i].levels, end);
		err = find_facts(c, &c->list[i]);
	}
	return err;
}

const struct capacity_device *capacity_of(const struct capacity *c,
					  uint32_t device)
{
	if (device >= CAPACITY_DEVICES || !c->list[device].levels)
		return NULL;
	return &c->list[device];
}

uint32_t capacity_count(const struct capacity *c)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < CAPACITY_DEVICES; i++)
		if (c->list[i].levels)
			count = i + 1;
	return count;
}

void capacity_free(struct capacity *c)
{
	if (!c)
		return;
	for (uint32_t i = 0; i < CAPACITY_DEVICES; i++) {
		levels_free(c->list[i].levels);
		mix_free(&c->list[i].mix);
	}
	free(c);
}
