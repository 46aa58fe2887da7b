/* SPDX-License-Identifier: GPL-2.0-only */
/* What happens on the machine, in order of time; see run.h. */
#include <errno.h>

#include "bench/synth/event.h"
#include "bench/synth/machine.h"
#include "bench/synth/run.h"
#include "bench/synth/script.h"

/* Silent: the CPU neither submits nor is interrupted. */
static bool silent(const struct machine *m, unsigned cpu, uint64_t when)
{
	return (int)cpu == m->plan.silent_cpu &&
	       when >= m->silent_from && when < m->silent_to;
}

/* A CPU's time never goes back, though deeds may find it busy. */
static void arrive(struct cpu *c, uint64_t when)
{
	if (c->now < when)
		c->now = when;
}

/* The task goes on behind its request, merged neighbours included. */
static void submit_one(struct machine *m, struct cpu *c)
{
	struct request rq = task_request(c->current, &m->dice);

	script_run(m, c, &rq);
	c->current->next = rq.sector + rq.bytes / SECTOR;
}

/* Runs some scripts, then thinks so long that the mean gap comes out right. */
static void submit(struct machine *m, struct item *item)
{
	struct cpu *c = &m->cpus[item->cpu];
	uint64_t charged = m->charged, think;

	if (silent(m, item->cpu, item->when)) {
		item->when = m->silent_to;
		agenda_add(&m->agenda, *item);
		return;
	}
	arrive(c, item->when);
	if (dice_chance(&m->dice, 25) || c->current == &c->idle)
		c->current = &m->users[dice_pick(&m->dice, TASK_USERS)];
	for (unsigned n = 1 + dice_pick(&m->dice, 4); n > 0; n--)
		submit_one(m, c);
	think = (m->charged - charged) * m->mean_gap;
	item->when += think / 2 + think * dice_pick(&m->dice, 1024) / 1024;
	agenda_add(&m->agenda, *item);
}

/* An interrupt: it hits whatever runs, mostly the idle task. */
static void complete(struct machine *m, struct item *item)
{
	struct cpu *c = &m->cpus[item->cpu];
	struct task *interrupted;

	if (silent(m, item->cpu, item->when))
		c = &m->cpus[(item->cpu + 1) % m->plan.cpus];
	arrive(c, item->when);
	interrupted = c->current;
	if (dice_chance(&m->dice, 67))
		c->current = &c->idle;
	event(m, c, &item->request, ACTION(COMPLETE) | CAT(COMPLETE) | CAT(FS));
	c->current = interrupted;
}

/* A paced stream waits for the clock to reach its own time. */
static void wait_until(const struct machine *m, uint64_t when)
{
	struct timespec ts = { .tv_sec = (time_t)(when / SECOND),
			       .tv_nsec = (long)(when % SECOND) };

	if (!machine_is_paced(m))
		return;
	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &ts, NULL) ==
	       EINTR)
		;
}

static void write_cpu(struct machine *m, const struct cpu *c)
{
	for (unsigned d = 0; d < m->plan.disks; d++)
		stream_write(machine_stream(m, c, d));
}

/* At most the plan's lag passes between two writes: no record is older. */
static void write_out(struct machine *m, struct item *item)
{
	uint64_t lag = m->plan.lag;

	wait_until(m, item->when);
	write_cpu(m, &m->cpus[item->cpu]);
	item->when += lag / 4 + dice_pick(&m->dice, (uint32_t)(lag - lag / 4));
	agenda_add(&m->agenda, *item);
}

/* Tracing that starts leaves the wall clock on the CPU it was called on. */
static void add_timestamps(struct machine *m)
{
	uint64_t wall = 1700000000 * SECOND;
	uint32_t payload[2];

	if (machine_is_paced(m))
		wall = machine_clock(CLOCK_REALTIME);
	payload[0] = (uint32_t)(wall / SECOND);
	payload[1] = (uint32_t)(wall % SECOND);
	for (unsigned d = 0; d < m->plan.disks; d++)
		event_note(m, &m->cpus[0], d, NOTE(TIMESTAMP), payload,
			   sizeof(payload));
}

void run(struct machine *m)
{
	static void (*const deeds[])(struct machine *, struct item *) = {
		[SUBMIT] = submit,
		[COMPLETE] = complete,
		[WRITE_OUT] = write_out,
	};
	uint64_t end = m->start;

	add_timestamps(m);
	while (m->left) {
		struct item item = agenda_take(&m->agenda);

		end = item.when;
		deeds[item.deed](m, &item);
	}
	wait_until(m, end);
	for (unsigned i = 0; i < m->plan.cpus; i++)
		write_cpu(m, &m->cpus[i]);
}
