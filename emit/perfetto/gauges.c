/* SPDX-License-Identifier: GPL-2.0-only */
/* Gauges of devices over time; see gauges.h. */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/buf.h"
#include "base/hint.h"
#include "base/time.h"
#include "emit/perfetto/gauges.h"
#include "emit/perfetto/packet.h"
#include "request/io.h"

/* what changes, as the rank of a key: at one time what ends comes first */
enum change { CHANGE_LESS, CHANGE_MORE, CHANGE_READ, CHANGE_WRITTEN };

/* steps in a second */
enum { STEPS = NS_PER_SECOND / GAUGES_STEP };

int gauges_add_device(struct gauges *c, uint64_t first_track)
{
	struct gauges_device *all = array_reserve(c->devices, c->count,
						    &c->size, 4, sizeof(*all));
	struct gauges_device *one;

	if (!all)
		return -ENOMEM;
	c->devices = all;
	one = &all[c->count++];
	for (unsigned int i = 0; i < GAUGES; i++)
		one->of[i] = (struct gauge_state){ .track = first_track + i };
	return 0;
}

void gauges_free(struct gauges *c)
{
	heap_free(&c->changes);
	free(c->devices);
	*c = (struct gauges){ .count = 0 };
}

/* --- what an io changes --------------------------------------------------- */

static inline int push(struct gauges *c, uint32_t device, uint64_t time,
		       enum change change, uint64_t stamp)
{
	const struct order key = { time > c->now ? time : c->now, change,
				   stamp };

	return heap_push(&c->changes, &key, device);
}

/* Parts are in the whole. */
static bool moves_bytes(const struct io *io, enum change *change)
{
	if (io->kind == IO_PART || !io->bytes || io->total == IO_NONE)
		return false;
	*change = io->op == IO_READ ? CHANGE_READ : CHANGE_WRITTEN;
	return io->op == IO_READ || io->op == IO_WRITE || io->op == IO_APPEND;
}

/* Damage can have the end of a request before its begin. */
static inline bool was_served(const struct io *io)
{
	return io_leads(io) && io->issued != IO_NONE &&
	       io->served != IO_NONE && io->issued <= io->served;
}

int gauges_add(struct gauges *c, uint32_t device, const struct io *io)
{
	enum change change;
	int err = 0;

	if (was_served(io)) {
		err = push(c, device, io->issued, CHANGE_MORE, 1);
		if (!err)
			err = push(c, device, io->served, CHANGE_LESS, 1);
	}
	if (!err && moves_bytes(io, &change))
		err = push(c, device, io->time + io->total, change, io->bytes);
	return err;
}

/* --- what is written ------------------------------------------------------ */

static void show(struct buf *b, struct gauge_state *s, uint64_t time,
		 uint64_t value)
{
	uint8_t *p;

	if (s->shown == value)
		return;
	p = (uint8_t *)buf_room(b, PACKET_MAX);
	if (!p)
		return;
	s->shown = value;
	buf_commit(b, (char *)packet_counter(p, time, s->track, value));
}

/* Only the last of what it was at one time is shown. */
static void change_depth(struct buf *b, struct gauge_state *s, uint64_t time,
			 bool more)
{
	if (time != s->at)
		show(b, s, s->at, s->value);
	s->at = time;
	s->value += more ? 1 : -1ull;
}

/* the step of s is over, and none of the steps up to time has any */
static void end_step(struct buf *b, struct gauge_state *s, uint64_t time)
{
	show(b, s, s->at, s->value * STEPS);
	if (time - s->at > GAUGES_STEP)
		show(b, s, s->at + GAUGES_STEP, 0);
}

static void add_bytes(struct buf *b, struct gauge_state *s, uint64_t time,
		      uint64_t bytes)
{
	uint64_t step = time - time % GAUGES_STEP;

	if (step != s->at) {
		end_step(b, s, step);
		s->at = step;
		s->value = 0;
	}
	s->value += bytes;
}

static void apply(struct gauges *c, struct buf *b, const struct order *key,
		  uint32_t device)
{
	struct gauge_state *of = c->devices[device].of;

	switch ((enum change)key->rank) {
	case CHANGE_LESS:
	case CHANGE_MORE:
		change_depth(b, &of[GAUGE_DEPTH], key->time,
			     key->rank == CHANGE_MORE);
		break;
	case CHANGE_READ:
		add_bytes(b, &of[GAUGE_READ], key->time, key->stamp);
		break;
	case CHANGE_WRITTEN:
		add_bytes(b, &of[GAUGE_WRITTEN], key->time, key->stamp);
		break;
	}
}

void gauges_run(struct gauges *c, struct buf *b, uint64_t until)
{
	const struct heap_node *top;

	while ((top = heap_top(&c->changes)) && top->key.time < until) {
		struct order key = top->key;

		apply(c, b, &key, heap_pop(&c->changes));
	}
	if (until > c->now)
		c->now = until;
}

void gauges_end(struct gauges *c, struct buf *b)
{
	gauges_run(c, b, UINT64_MAX);
	for (uint32_t i = 0; i < c->count; i++) {
		struct gauge_state *of = c->devices[i].of;

		show(b, &of[GAUGE_DEPTH], of[GAUGE_DEPTH].at,
		     of[GAUGE_DEPTH].value);
		end_step(b, &of[GAUGE_READ], UINT64_MAX);
		end_step(b, &of[GAUGE_WRITTEN], UINT64_MAX);
	}
}
