/* SPDX-License-Identifier: GPL-2.0-only */
/* Remaps that wait; see open_remap.h. */
#include "request/open_queue.h"
#include "request/open_remap.h"
#include "request/slots.h"

struct remap_wait *open_remap(struct joiner *j, struct queue *q)
{
	uint32_t n = TAKE(j->unused_remaps, j->remaps, after);

	if (n == OPEN_NONE)
		return NULL;
	j->remaps[n].queue = q->number;
	return &j->remaps[n];
}

void open_remap_enter(struct joiner *j, struct queue *q, struct remap_wait *r,
		      uint64_t sector)
{
	uint32_t n = (uint32_t)(r - j->remaps);
	struct process *p = open_process(j, q, r->pid);

	index_add(&j->remapped, n, queue_space(q), sector);
	LIST_APPEND(&q->remaps, j->remaps, n, before, after);
	p->remap = n;
}

void open_remap_leave(struct joiner *j, struct remap_wait *r)
{
	uint32_t n = (uint32_t)(r - j->remaps);
	struct queue *q = j->queues[r->queue];
	struct process *p = open_process(j, q, r->pid);

	if (p->remap == n)
		p->remap = OPEN_NONE;
	index_remove(&j->remapped, n);
	LIST_REMOVE(&q->remaps, j->remaps, n, before, after);
}

void open_remap_forget(struct joiner *j, struct remap_wait *r)
{
	open_remap_leave(j, r);
	r->after = unused_give(&j->unused_remaps, (uint32_t)(r - j->remaps));
}
