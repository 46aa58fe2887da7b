/* SPDX-License-Identifier: GPL-2.0-only */
/* The life of a request, step by step; see step.h. */
#include <stdbool.h>

#include "bench/synth/event.h"
#include "bench/synth/machine.h"
#include "bench/synth/step.h"

enum {
	REQUEST_MAX = 512 * 1024,
	INTERRUPT_GAP = 64000,	/* ns: a disk reports completions together */
};

void step_queue(struct machine *m, struct cpu *c, const struct request *rq)
{
	uint32_t device = m->devices[rq->disk];
	uint8_t from[16];

	if (c->current->in_partition) {
		put_be32(from, device + 1);
		put_be32(from + 4, device);
		put_be64(from + 8, rq->sector - PARTITION_START);
		event_with(m, c, rq, BIO(REMAP), from, sizeof(from));
	}
	event(m, c, rq, BIO(QUEUE));
}

/* Interrupts of one CPU come together, those of two CPUs do not. */
static uint64_t interrupt_after(unsigned cpu, uint64_t when)
{
	return when - when % INTERRUPT_GAP + INTERRUPT_GAP +
	       cpu * 1009 % INTERRUPT_GAP;
}

/* Mostly on the CPU that submitted, for a third on any other. */
void step_complete_later(struct machine *m, struct cpu *c,
			 const struct request *rq)
{
	uint64_t latency = 30000 + dice_pick(&m->dice, 150000);
	unsigned elsewhere = 1 + dice_pick(&m->dice, m->plan.cpus - 1);
	unsigned cpu = c->number;

	if (dice_chance(&m->dice, 3))	/* a busy disk now and then */
		latency *= 16;
	if (dice_chance(&m->dice, 33))
		cpu = (cpu + elsewhere) % m->plan.cpus;
	agenda_add(&m->agenda, (struct item){
		.when = interrupt_after(cpu, c->now + latency),
		.deed = COMPLETE,
		.cpu = cpu,
		.request = *rq,
	});
	m->charged++;
}

void step_issue(struct machine *m, struct cpu *c, const struct request *rq)
{
	struct task *submitter = c->current;

	if (dice_chance(&m->dice, 25))
		c->current = &c->kworker;
	event(m, c, rq, ACTION(ISSUE) | CAT(ISSUE) | CAT(FS));
	c->current = submitter;
}

void step_insert(struct machine *m, struct cpu *c, const struct request *rq)
{
	event(m, c, rq, BIO(INSERT) | CAT(FS));
}

void step_insert_and_issue(struct machine *m, struct cpu *c,
			   const struct request *rq)
{
	step_insert(m, c, rq);
	step_issue(m, c, rq);
	step_complete_later(m, c, rq);
}

/* P and U are about no sector; the kernel marks them as reads. */
void step_plug(struct machine *m, struct cpu *c, unsigned disk)
{
	struct request none = { .disk = disk, .flags = READ_OP };

	event(m, c, &none, BIO(PLUG));
}

void step_unplug(struct machine *m, struct cpu *c, unsigned disk,
		 uint64_t depth)
{
	struct request none = { .disk = disk, .flags = READ_OP };
	bool by_timer = dice_chance(&m->dice, 70);
	uint8_t payload[8];

	put_be64(payload, depth);
	event_with(m, c, &none, by_timer ? BIO(UNPLUG_TIMER) : BIO(UNPLUG_IO),
		   payload, sizeof(payload));
}

void step_merge(struct machine *m, struct cpu *c, struct request *rq)
{
	struct request bio = *rq;
	bool front = dice_chance(&m->dice, 10) &&
		     rq->sector > 2 * REQUEST_MAX / SECTOR;

	bio.bytes = PAGE << dice_pick(&m->dice, 3);
	if (rq->bytes + bio.bytes > REQUEST_MAX)
		return;
	if (front)
		bio.sector -= bio.bytes / SECTOR;
	else
		bio.sector += rq->bytes / SECTOR;
	step_queue(m, c, &bio);
	event(m, c, &bio, front ? BIO(FRONTMERGE) : BIO(BACKMERGE));
	rq->bytes += bio.bytes;
	if (front)
		rq->sector = bio.sector;
}
