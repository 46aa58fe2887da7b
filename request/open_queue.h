/* SPDX-License-Identifier: GPL-2.0-only */
/* Devices, their processes, and their CPUs that complete flushes. */
#ifndef REQUEST_OPEN_QUEUE_H
#define REQUEST_OPEN_QUEUE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/hint.h"
#include "request/items.h"

/* the queue of a device; NULL: too many, or no memory (see starved) */
struct queue *open_queue(struct joiner *j, uint16_t origin, uint32_t device);
/* the same, NULL also if it is not known */
struct queue *open_find_queue(const struct joiner *j, uint16_t origin,
			      uint32_t device);

/* a process of a device, made on first use; the same, not in the cache */
struct process *open_far_process(struct joiner *j, struct queue *q,
				 uint32_t pid);
static inline struct process *open_process(struct joiner *j, struct queue *q,
					   uint32_t pid)
{
	const struct near *near = &q->near[pid % PROCESSES_NEAR];

	if (LIKELY(near->pid == pid && near->number != OPEN_NONE))
		return &j->processes[near->number];
	return open_far_process(j, q, pid);
}

/* flush requests on a CPU, made if make; NULL also if there is no room */
struct flush_cpu *open_flush_cpu(struct joiner *j, struct queue *q,
				 uint16_t cpu, bool make);

#endif
