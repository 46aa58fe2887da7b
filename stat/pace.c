/* SPDX-License-Identifier: GPL-2.0-only */
/* Time of unfinished requests at their device; see pace.h. */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/hint.h"
#include "base/time.h"
#include "expr/filter.h"
#include "request/io.h"
#include "request/ios.h"
#include "run/reader.h"
#include "stat/depth.h"
#include "stat/pace.h"

/*
 * A younger request may overtake an older one by this, or by AHEAD_TIMES the
 * longest time at the device, as for a D that supersedes another
 * (doc/requests.md).
 */
#define AHEAD_LEAST (100 * NS_PER_MS)
enum { AHEAD_TIMES = 8 };

void paces_free(struct paces *p)
{
	free(p->list);
	*p = (struct paces){ .list = NULL };
}

int paces_grow(struct paces *p, uint32_t count)
{
	struct pace *list = array_resize(p->list, count, sizeof(*list));

	if (!list)
		return -ENOMEM;
	memset(list + p->count, 0, (count - p->count) * sizeof(*list));
	p->list = list;
	p->count = count;
	return 0;
}

static uint64_t patience(const struct pace *p)
{
	uint64_t long_ago;

	if (__builtin_mul_overflow(p->longest, AHEAD_TIMES, &long_ago))
		return UINT64_MAX;
	return long_ago > AHEAD_LEAST ? long_ago : AHEAD_LEAST;
}

/* whether requests issued that much later completed */
static bool was_passed(const struct pace *p, uint64_t issued)
{
	return p->issued > issued && p->issued - issued > patience(p);
}

/* Whether the CPU of the last completion has no later record while others have
 * some up to to: its file may have been cut there. */
static bool fell_silent(const struct pace *p, const struct reader *r,
			uint32_t device, uint64_t to)
{
	return p->ended && to > p->ended && to - p->ended > patience(p) &&
	       reader_newest(r, device, p->cpu) <= p->ended;
}

struct pace paces_get(const struct paces *p, uint32_t device)
{
	return device < p->count ? p->list[device] : (struct pace){ 0 };
}

/* The end of the sure time in a trace that does not prove to be complete. */
static uint64_t until_doubt(struct pace *p, const struct reader *r,
			    const struct io *io, const struct depth_span *s)
{
	struct reach reach;

	reader_reach(r, io->disk->id, &reach);
	if (!(reach.proven && io->sure) && was_passed(p, s->from)) {
		p->passed = true;
		return s->from;
	}
	if (!reach.proven && fell_silent(p, r, io->disk->id, s->to)) {
		p->silent = true;
		return p->ended;
	}
	return reach.time < s->to ? reach.time : s->to;
}

uint64_t paces_until(struct paces *p, const struct reader *r,
		     const struct io *io, const struct depth_span *s)
{
	uint32_t device = io->disk->id;
	struct pace none = { 0 };
	struct loss loss;
	uint64_t until;

	reader_loss(r, device, &loss);
	if (loss.missing)
		return s->from;
	until = until_doubt(device < p->count ? &p->list[device] : &none, r,
			    io, s);
	return until > s->from ? until : s->from;
}

static COLD int add_stays(struct depth *d, const struct io_stay *stay)
{
	int err = 0;

	for (; !err && stay; stay = stay->before)
		err = depth_add(d, stay->from, stay->to);
	return err;
}

int pace_open_add(void *ctx, struct depth *d)
{
	const struct pace_open *o = ctx;
	struct depth_span span;
	const struct io *io;
	uint32_t at = 0;
	int err = 0;

	while (!err && ios_open_now(o->ios, &at, &io)) {
		uint64_t until;

		if (!filter_passes(o->filter, io, ios_time(o->ios)))
			continue;
		err = add_stays(d, io->stays);
		if (!at_device(io, &span) || span.from >= d->to)
			continue;
		span.to = io->served < d->to ? io->served : d->to;
		until = paces_until(o->paces, ios_reader(o->ios), io, &span);
		if (until < span.to)
			depth_doubt(d);
		err |= depth_add(d, span.from, until);
	}
	return err;
}
