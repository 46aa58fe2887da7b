/* SPDX-License-Identifier: GPL-2.0-only */
/* The measured share of I/Os; see coverage.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/hint.h"
#include "request/io.h"
#include "run/device.h"
#include "stat/coverage.h"

void coverages_free(struct coverages *c)
{
	free(c->list);
	free(c->places);
	*c = (struct coverages){ .list = NULL };
}

static COLD int grow(struct coverages *c, uint32_t count)
{
	struct coverage *list;

	if (!c->places)
		c->places = calloc(COVERAGE_PLACES, sizeof(*c->places));
	if (!c->places)
		return -ENOMEM;
	list = array_resize(c->list, count, sizeof(*list));
	if (!list)
		return -ENOMEM;
	memset(list + c->count, 0, (count - c->count) * sizeof(*list));
	c->list = list;
	c->count = count;
	return 0;
}

/* The I/O may still have left all its records.  One merged into another's
 * request leaves none later, and one with a gap at most lowers the minimum. */
static void count_failed(struct coverage *c, const struct io *io)
{
	if (io->birth == 'Q' && (io_completed(io) || io->merge))
		bounds_see(&c->seen, io->events);
	if (io_completed(io))
		c->gap++;
	else if (io->ended == IO_ENDED_OPEN)
		c->open++;
	else if (io->ended == IO_ENDED_LOST)
		c->lost++;
	else
		c->evicted++;
}

/* complete, but without a Q, which parts, flushes and commands never have */
static void count_no_q(struct coverage *c, const struct io *io)
{
	if (io->kind != IO_BIO) {
		bounds_see(&c->seen, io->events);
		return;
	}
	c->no_q++;
	bounds_see(&c->seen_no_q, io->events);
}

/* NULL: no memory */
static inline struct coverage *coverage_of(struct coverages *c,
					   const struct io *io)
{
	if (UNLIKELY(io->disk->id >= c->count) && grow(c, io->disk->id + 1))
		return NULL;
	return &c->list[io->disk->id];
}

/* Whether an I/O of that size was recently at that place.  All I/Os without
 * bytes, such as flushes, are at one place. */
static inline bool is_reused(struct coverages *c, const struct io *io)
{
	uint64_t place = io->sector << 20 ^ io->bytes ^ io->disk->id;
	uint64_t *last = &c->places[io->sector / 8 % COVERAGE_PLACES];
	bool same = *last == place;

	*last = place;
	return same || !io->bytes;
}

static void older(struct coverage_open *to, const struct coverage_open *from)
{
	uint64_t count = to->count + from->count;

	if (from->count && (!to->count || from->age > to->age))
		*to = *from;
	to->count = count;
}

int coverages_open(struct coverages *c, const struct io *io, uint64_t age)
{
	const struct coverage_open one = {
		.count = 1, .age = age, .sector = io->sector, .op = io->op,
		.pid = io->pid, .origin = io->origin,
	};
	struct coverage *d = coverage_of(c, io);

	if (!d)
		return -ENOMEM;
	if (io->kind != IO_FLUSH && io->link != IO_SPLIT)
		older(&d->in_flight, &one);
	return 0;
}

int coverages_add(struct coverages *c, const struct io *io)
{
	struct coverage *d = coverage_of(c, io);

	if (UNLIKELY(!d))
		return -ENOMEM;
	if (io->kind == IO_FLUSH || io->link == IO_SPLIT) {
		d->flushes += io->kind == IO_FLUSH;
		d->reused += io->kind == IO_FLUSH;
		return 0;
	}
	d->ios++;
	if (UNLIKELY(coverage_is_loose(io)))
		d->loose++;
	if (UNLIKELY(!io_completed(io) || io->gap)) {
		count_failed(d, io);
		return 0;
	}
	d->complete++;
	if (LIKELY(io->birth == 'Q'))
		bounds_see(&d->seen, io->events);
	else
		count_no_q(d, io);
	if (UNLIKELY(!io->sure))
		d->unsure++;
	if (io_leads(io) || !io->rq)
		d->reused += is_reused(c, io);
	if (io->rq_ios > d->riders)
		d->riders = io->rq_ios;
	return 0;
}

struct coverage coverages_get(const struct coverages *c, uint32_t device)
{
	return device < c->count ? c->list[device] : (struct coverage){ 0 };
}

void coverage_merge(struct coverage *to, const struct coverage *from)
{
	to->ios += from->ios;
	to->flushes += from->flushes;
	to->complete += from->complete;
	to->no_q += from->no_q;
	to->open += from->open;
	to->lost += from->lost;
	to->evicted += from->evicted;
	to->gap += from->gap;
	to->unsure += from->unsure;
	to->loose += from->loose;
	to->reused += from->reused;
	if (from->riders > to->riders)
		to->riders = from->riders;
	older(&to->in_flight, &from->in_flight);
	if (from->seen.fewest)
		bounds_see(&to->seen, from->seen.fewest);
	if (from->seen_no_q.fewest)
		bounds_see(&to->seen_no_q, from->seen_no_q.fewest);
}

uint64_t coverage_gone(const struct coverage *c, uint64_t lost)
{
	struct bounds_seen seen = c->seen;

	if (!coverage_needs_q(c) && c->seen_no_q.fewest)
		bounds_see(&seen, c->seen_no_q.fewest);
	seen.lost = lost;
	return bounds_missing(&seen);
}

uint64_t coverage_astray(const struct coverage *c, uint64_t lost)
{
	return lost / 2 < c->reused ? lost / 2 : c->reused;
}

uint64_t coverage_wrong(const struct coverage *c, uint64_t lost)
{
	uint64_t all;

	if (__builtin_mul_overflow(coverage_astray(c, lost),
				   c->riders ? c->riders : 1, &all) ||
	    all > c->complete)
		return c->complete;
	return all;
}

uint64_t coverage_measured(const struct coverage *c)
{
	return coverage_needs_q(c) ? c->complete - c->no_q : c->complete;
}
