/* SPDX-License-Identifier: GPL-2.0-only */
/* The slowest ios; see top.h. */
#include <errno.h>
#include <stdlib.h>

#include "run/device.h"
#include "stat/group_op.h"
#include "stat/measure.h"
#include "tools/btstat/top.h"

int top_init(struct top *t, unsigned int wanted, unsigned int measure)
{
	*t = (struct top){ .wanted = wanted, .measure = measure };
	if (!wanted)
		return 0;
	t->list = calloc(wanted, sizeof(*t->list));
	return t->list ? 0 : -ENOMEM;
}

void top_free(struct top *t)
{
	heap_free(&t->heap);
	free(t->list);
	*t = (struct top){ .list = NULL };
}

/* What is open has taken its age so far; nobody knows how it divides. */
static uint64_t span(const struct io *io, unsigned int measure)
{
	uint64_t ns;

	if (io->ended == IO_ENDED_OPEN &&
	    (measure == MEASURE_Q2C || measure == MEASURE_TOTAL))
		return io->age;
	if (!io_completed(io))
		return IO_NONE;
	return measure_get(io, measure, &ns) ? ns : IO_NONE;
}

static void put(struct top_io *to, const struct io *io, uint64_t by)
{
	uint64_t i2d = span(io, IO_I2D);

	*to = (struct top_io){
		.id = io->id, .time = io->time, .sector = io->sector,
		.bytes = io->bytes, .pid = io->pid, .by = by,
		.q2c = span(io, MEASURE_Q2C),
		.i2d = i2d != IO_NONE ? i2d : span(io, IO_M2D),
		.d2c = span(io, IO_D2C),
		.device = io->disk->id,
		.op = group_op_of(io),
		.origin = io->origin, .error = io->error,
		.open = io->ended == IO_ENDED_OPEN,
	};
}

int top_add(struct top *t, const struct io *io)
{
	uint64_t by = span(io, t->measure);
	/* of two that are as fast the later one is less wanted */
	struct order key = { .time = by, .rank = UINT64_MAX - io->id };
	const struct heap_node *least;

	if (by == IO_NONE)
		return 0;
	if (t->count < t->wanted) {
		put(&t->list[t->count], io, by);
		return heap_push(&t->heap, &key, t->count++);
	}
	least = heap_top(&t->heap);
	if (order_before(&least->key, &key)) {
		put(&t->list[least->id], io, by);
		heap_replace(&t->heap, &key, least->id);
	}
	return 0;
}

static int compare(const void *a, const void *b)
{
	const struct top_io *x = a, *y = b;

	if (x->by != y->by)
		return x->by > y->by ? -1 : 1;
	return x->id < y->id ? -1 : x->id > y->id;
}

void top_sort(struct top *t)
{
	if (t->count)
		qsort(t->list, t->count, sizeof(*t->list), compare);
}
