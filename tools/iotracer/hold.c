/* Lines held until they can be put in order; see hold.h. */
#include <errno.h>
#include <stdlib.h>

#include "tools/iotracer/hold.h"

enum { FIRST_SIZE = 1024 };

void hold_free(struct hold *h)
{
	heap_free(&h->order);
	free(h->lines);
	free(h->spare);
	*h = (struct hold){ 0 };
}

static int grow(struct hold *h)
{
	uint32_t size = h->size ? 2 * h->size : FIRST_SIZE;
	struct bpf_line *lines = realloc(h->lines, size * sizeof(*lines));
	uint32_t *spare;

	if (!lines)
		return -ENOMEM;
	h->lines = lines;
	spare = realloc(h->spare, size * sizeof(*spare));
	if (!spare)
		return -ENOMEM;
	h->spare = spare;
	while (h->size < size)
		spare[h->count++] = h->size++;
	return 0;
}

int hold_put(struct hold *h, const struct bpf_line *l)
{
	struct order key = { .time = l->time, .stamp = h->arrived++ };
	uint32_t id;
	int err;

	if (!h->count && grow(h))
		return -ENOMEM;
	id = h->spare[--h->count];
	h->lines[id] = *l;
	err = heap_push(&h->order, &key, id);
	if (err)
		h->spare[h->count++] = id;
	return err;
}

const struct bpf_line *hold_take(struct hold *h, uint64_t until)
{
	const struct heap_node *top = heap_top(&h->order);
	uint32_t id;

	if (!top || (top->key.time > until && h->order.count <= HOLD_LINES))
		return NULL;
	id = heap_pop(&h->order);
	/* nothing is put before the caller has done with the line */
	h->spare[h->count++] = id;
	return &h->lines[id];
}
