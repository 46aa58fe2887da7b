/* SPDX-License-Identifier: GPL-2.0-only */
/* Lines held until they can be put in order; see line_queue.h. */
#include <errno.h>

#include "tools/iotracer/line_queue.h"

void line_queue_init(struct line_queue *q)
{
	*q = (struct line_queue){
		.lines.item_size = sizeof(struct bpf_line),
	};
}

void line_queue_free(struct line_queue *q)
{
	heap_free(&q->order);
	pool_free(&q->lines);
}

int line_queue_add(struct line_queue *q, const struct bpf_line *l)
{
	struct order key = { .time = l->time, .stamp = q->arrived++ };
	uint32_t slot = pool_add(&q->lines);
	struct bpf_line *place;
	int err;

	if (slot == POOL_NONE)
		return -ENOMEM;
	place = pool_get(&q->lines, slot);
	*place = *l;
	err = heap_push(&q->order, &key, slot);
	if (err)
		pool_remove(&q->lines, slot);
	return err;
}

const struct bpf_line *line_queue_next(struct line_queue *q, uint64_t until)
{
	const struct heap_node *top = heap_top(&q->order);
	uint32_t slot;

	if (!top ||
	    (top->key.time > until && q->order.count <= LINE_QUEUE_MAX))
		return NULL;
	slot = heap_pop(&q->order);
	pool_remove(&q->lines, slot);
	return pool_get(&q->lines, slot);
}
