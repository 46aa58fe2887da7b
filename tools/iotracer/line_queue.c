/* Lines held until they can be put in order; see line_queue.h. */
#include <errno.h>
#include <stdlib.h>

#include "tools/iotracer/line_queue.h"

enum { FIRST_SIZE = 1024 };

void line_queue_free(struct line_queue *q)
{
	heap_free(&q->order);
	free(q->lines);
	free(q->spare);
	*q = (struct line_queue){ 0 };
}

static int grow(struct line_queue *q)
{
	uint32_t size = q->size ? 2 * q->size : FIRST_SIZE;
	struct bpf_line *lines = realloc(q->lines, size * sizeof(*lines));
	uint32_t *spare;

	if (!lines)
		return -ENOMEM;
	q->lines = lines;
	spare = realloc(q->spare, size * sizeof(*spare));
	if (!spare)
		return -ENOMEM;
	q->spare = spare;
	while (q->size < size)
		spare[q->count++] = q->size++;
	return 0;
}

int line_queue_add(struct line_queue *q, const struct bpf_line *l)
{
	struct order key = { .time = l->time, .stamp = q->arrived++ };
	uint32_t id;
	int err;

	if (!q->count && grow(q))
		return -ENOMEM;
	id = q->spare[--q->count];
	q->lines[id] = *l;
	err = heap_push(&q->order, &key, id);
	if (err)
		q->spare[q->count++] = id;
	return err;
}

const struct bpf_line *line_queue_next(struct line_queue *q, uint64_t until)
{
	const struct heap_node *top = heap_top(&q->order);
	uint32_t id;

	if (!top || (top->key.time > until && q->order.count <= LINE_QUEUE_MAX))
		return NULL;
	id = heap_pop(&q->order);
	/* nothing is put before the caller has done with the line */
	q->spare[q->count++] = id;
	return &q->lines[id];
}
