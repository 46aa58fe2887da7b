/* SPDX-License-Identifier: GPL-2.0-only */
/* Events and notes; see event.h. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>

#include "bench/synth/event.h"
#include "bench/synth/machine.h"

enum { STEP_MAX = 1500 };	/* ns between two events of one script */

void event_note(struct machine *m, struct cpu *c, unsigned disk,
		uint32_t action, const void *payload, size_t size)
{
	struct record r = {
		.magic = BLK_MAGIC | BLK_VERSION_7,
		.time = c->now,
		.action = action,
		.pid = action == NOTE(TIMESTAMP) ? 0 : c->current->pid,
		.device = m->devices[disk],
		.cpu = c->number,
		.payload_size = (uint16_t)size,
	};

	stream_add(machine_stream(m, c, disk), &r, payload);
}

/* A task's name goes to every running trace, before its first event. */
static void introduce(struct machine *m, struct cpu *c)
{
	struct task *t = c->current;

	for (unsigned d = 0; d < m->plan.disks; d++)
		event_note(m, c, d, NOTE(PROCESS), t->comm, sizeof(t->comm));
	t->noted = true;
}

/* Chooses so that exactly as many of all events are lost as were asked for. */
static bool dropped(struct machine *m)
{
	if (!m->drops_left ||
	    dice_pick(&m->dice, (uint32_t)m->left) >= m->drops_left)
		return false;
	m->drops_left--;
	return true;
}

/* The reader of a paced stream measures against this. */
static void tell_genesis(struct machine *m, uint64_t time)
{
	m->begun = true;
	if (machine_is_paced(m))
		fprintf(stderr, "genesis %" PRIu64 "\n", time);
}

/* A dropped event still takes a number, which is the hole that readers see. */
static void put(struct machine *m, struct cpu *c, const struct request *rq,
		struct record *r, const void *payload)
{
	struct stream *s = machine_stream(m, c, rq->disk);

	if (!c->current->noted)
		introduce(m, c);
	r->sequence = ++s->sequence;
	m->charged++;
	if (!dropped(m)) {
		stream_add(s, r, payload);
		if (!m->begun)
			tell_genesis(m, r->time);
	}
	m->left--;
}

/* Time passes on this CPU; less of it when many events are asked for. */
static void pass(struct machine *m, struct cpu *c)
{
	c->now += 1 + dice_pick(&m->dice, m->mean_gap < STEP_MAX ?
					  (uint32_t)m->mean_gap : STEP_MAX);
}

void event_with(struct machine *m, struct cpu *c, const struct request *rq,
		uint32_t action, const void *payload, size_t size)
{
	struct record r = {
		.magic = BLK_MAGIC | BLK_VERSION_7,
		.time = c->now,
		.sector = rq->sector,
		.bytes = rq->bytes,
		.action = action | rq->flags,
		.pid = c->current->pid,
		.device = m->devices[rq->disk],
		.cpu = c->number,
		.payload_size = (uint16_t)size,
	};

	if (m->left)
		put(m, c, rq, &r, payload);
	pass(m, c);
}
