/* SPDX-License-Identifier: GPL-2.0-only */
/* Devices, their processes and CPUs; see open_queue.h. */
#include <stdlib.h>

#include "request/open_queue.h"
#include "request/open_request.h"
#include "request/slots.h"
#include "run/device.h"

struct queue *open_find_queue(const struct joiner *j, uint16_t origin,
			      uint32_t device)
{
	return hash_get(&j->by_number, origin_key(origin, device));
}

static struct queue *new_queue(struct joiner *j, uint16_t origin,
			       uint32_t device)
{
	const struct list none = { OPEN_NONE, OPEN_NONE, 0 };
	struct queue *q = calloc(1, sizeof(*q));

	if (!q || hash_put(&j->by_number, origin_key(origin, device), q)) {
		free(q);
		j->starved = true;
		return NULL;
	}
	q->number = (uint16_t)j->queue_count;
	q->origin = origin;
	q->device = device;
	q->waiting = q->remaps = q->ends = none;
	q->fresh = q->issued = OPEN_NONE;
	for (int i = 0; i < LISTS; i++)
		q->lists[i] = none;
	for (int i = 0; i < PROCESSES_NEAR; i++)
		q->near[i].number = OPEN_NONE;
	j->queues[j->queue_count++] = q;
	return q;
}

struct queue *open_queue(struct joiner *j, uint16_t origin, uint32_t device)
{
	struct queue *q = open_find_queue(j, origin, device);

	if (q)
		return q;
	if (!j->queues)
		j->queues = calloc(QUEUES_MAX, sizeof(*j->queues));
	if (!j->queues)
		j->starved = true;
	if (!j->queues || j->queue_count == QUEUES_MAX)
		return NULL;
	return new_queue(j, origin, device);
}

/* --- processes ------------------------------------------------------------ */

/* Reuses the oldest; requests in its plug leave it. */
static uint32_t reuse_process(struct joiner *j)
{
	uint32_t n = j->next_process;
	struct process *p = &j->processes[n];
	struct queue *q = j->queues[p->queue];

	j->next_process = (n + 1) % j->bounds.pids;
	while (p->plug.first != OPEN_NONE)
		open_unlist(j, &j->requests[p->plug.first]);
	index_remove(&j->by_pid, n);
	for (int i = 0; i < PROCESSES_NEAR; i++)
		if (q->near[i].number == n)
			q->near[i].number = OPEN_NONE;
	return n;
}

static uint32_t new_process(struct joiner *j, struct queue *q, uint32_t pid)
{
	uint32_t n = j->process_count < j->bounds.pids ? j->process_count++ :
							 reuse_process(j);
	struct process *p = &j->processes[n];

	*p = (struct process){
		.plug = { OPEN_NONE, OPEN_NONE, 0 },
		.remap = OPEN_NONE,
		.last = OPEN_NONE,
		.queue = q->number,
	};
	index_add(&j->by_pid, n, queue_space(q), pid);
	return n;
}

struct process *open_far_process(struct joiner *j, struct queue *q,
				 uint32_t pid)
{
	uint32_t n = index_first(&j->by_pid, queue_space(q), pid);

	if (n == OPEN_NONE)
		n = new_process(j, q, pid);
	q->near[pid % PROCESSES_NEAR] = (struct near){ pid, n };
	return &j->processes[n];
}

/* --- flush requests ------------------------------------------------------- */

struct flush_cpu *open_flush_cpu(struct joiner *j, struct queue *q,
				 uint16_t cpu, bool make)
{
	uint32_t n = index_first(&j->by_cpu, queue_space(q), cpu);

	if (n != OPEN_NONE)
		return &j->flush_cpus[n];
	if (!make || j->flush_cpu_count == FLUSH_CPUS_MAX)
		return NULL;
	n = j->flush_cpu_count++;
	j->flush_cpus[n] = (struct flush_cpu){ .cpu_d = NO_CPU };
	index_add(&j->by_cpu, n, queue_space(q), cpu);
	return &j->flush_cpus[n];
}
