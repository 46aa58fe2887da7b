/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Compares the depth of traces with plain counting.
 *
 *	depth DIRECTORY...
 *
 * For each device the requests at the driver, from D to C and open ones to the
 * end, are given to stat/depth as they are reported, over the whole trace
 * and in 50 rows.  All integrals must be the sum of all times spent, to the
 * ns, and most and busy be what sorting all of it tells.
 *
 * A line for each device: the directory, its number, requests, most, depth in
 * thousandths.  Status 1 if anything differs.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/msg.h"
#include "request/io.h"
#include "request/joiner.h"
#include "stat/depth.h"
#include "stat/depth_rows.h"
#include "tests/requests/trace.h"

enum { ROWS = 50, DEVICES = 16 };

/* a device's requests, and what is told of them */
struct queue {
	uint32_t device;
	struct depth_span *spans;
	size_t count, size;
	struct depth depth;
	struct depth_rows rows;
	struct depth_row taken[ROWS + 2];
	unsigned int row_count;
};

struct state {
	struct joiner *j;
	struct queue queues[DEVICES];
	unsigned int count;
	uint64_t end, length;
};

/* --- asking the module --------------------------------------------------- */

static struct queue *queue_of(struct state *s, uint32_t device)
{
	struct queue *q;

	for (unsigned int i = 0; i < s->count; i++)
		if (s->queues[i].device == device)
			return &s->queues[i];
	if (s->count == DEVICES)
		msg_die("too many devices");
	q = &s->queues[s->count++];
	q->device = device;
	depth_init(&q->depth, 0, UINT64_MAX);
	depth_rows_init(&q->rows, 0, s->length, DEPTH_ROWS - 1);
	return q;
}

static void take_row(struct queue *q, const struct depth_row *row)
{
	if (q->row_count == ROWS + 2)
		msg_die("too many rows");
	q->taken[q->row_count++] = *row;
}

static void add_span(struct queue *q, struct depth_span span)
{
	struct depth_span *spans = array_reserve(q->spans, q->count, &q->size,
						 1024, sizeof(*spans));

	if (!spans)
		msg_die("no memory");
	q->spans = spans;
	spans[q->count++] = span;
	if (depth_add(&q->depth, span.from, span.to) ||
	    depth_rows_add(&q->rows, span.from, span.to))
		msg_die("a request was refused");
}

static void take_ios(struct state *s)
{
	const struct io *io;

	while (joiner_next(s->j, &io)) {
		uint64_t to = io->served == IO_NONE ? s->end : io->served;

		if (io_leads(io) && io->issued != IO_NONE)
			add_span(queue_of(s, io->device),
				 (struct depth_span){ io->issued, to });
	}
}

/* Nothing waits to be taken: all that began before the oldest is known. */
static void take_rows(struct state *s, uint64_t now)
{
	struct depth_row row;

	for (unsigned int i = 0; i < s->count; i++)
		while (depth_rows_next(&s->queues[i].rows, joiner_oldest(s->j),
				       now, &row) == 1)
			take_row(&s->queues[i], &row);
}

static void join(struct state *s, const struct trace *t)
{
	if (joiner_new(&s->j, &JOINER_BOUNDS))
		msg_die("no memory");
	for (size_t i = 0; i < t->count; i++) {
		take_rows(s, t->events[i].time);
		joiner_event(s->j, &t->events[i]);
		take_ios(s);
	}
	joiner_end(s->j, t->count ? t->events[t->count - 1].time : 0, false);
	take_ios(s);
	joiner_free(s->j);
}

/* --- plain counting ------------------------------------------------------ */

static int by_time(const void *a, const void *b)
{
	const struct depth_span *one = a, *two = b;

	return one->from < two->from ? -1 : one->from > two->from ? 1 :
	       one->to < two->to ? -1 : one->to > two->to;
}

/* Begins, then ends, as moments with a step of 1 or -1 in to. */
static size_t edges_of(const struct queue *q, const struct depth_row *row,
		       struct depth_span *edges)
{
	size_t n = 0;

	for (size_t i = 0; i < q->count; i++) {
		uint64_t from = q->spans[i].from, to = q->spans[i].to;

		from = from < row->from ? row->from : from;
		to = to > row->to ? row->to : to;
		if (from >= to)
			continue;
		/* at the same moment ends come first */
		edges[n++] = (struct depth_span){ from, 1 };
		edges[n++] = (struct depth_span){ to, 0 };
	}
	qsort(edges, n, sizeof(*edges), by_time);
	return n;
}

static bool is_right(const struct queue *q, const struct depth_row *row)
{
	struct depth_span *edges = calloc(2 * q->count + 1, sizeof(*edges));
	size_t n = edges_of(q, row, edges);
	uint64_t busy = 0, last = 0;
	struct wide integral = { 0, 0 };
	uint32_t at = 0, most = 0;

	for (size_t i = 0; i < n; i++) {
		uint64_t passed = edges[i].from - last;

		wide_join(&integral, wide_product(passed, at));
		busy += at ? passed : 0;
		at = edges[i].to ? at + 1 : at - 1;
		most = at > most ? at : most;
		last = edges[i].from;
	}
	free(edges);
	return row->exact && wide_same(row->integral, integral) &&
	       row->busy == busy && row->most == most;
}

/* --- a trace ------------------------------------------------------------- */

static struct wide spent(const struct queue *q)
{
	struct wide sum = { 0, 0 };

	for (size_t i = 0; i < q->count; i++)
		wide_add(&sum, q->spans[i].to - q->spans[i].from);
	return sum;
}

/* Rows follow each other, are right, and are all time. */
static bool rows_are_right(struct state *s, struct queue *q)
{
	struct depth_row row;
	uint64_t at = 0;
	struct wide sum = { 0, 0 };
	bool right = true;

	while (depth_rows_last(&q->rows, s->end, &row) == 1)
		take_row(q, &row);
	for (unsigned int i = 0; i < q->row_count; i++) {
		right = right && q->taken[i].from == at &&
			is_right(q, &q->taken[i]);
		at = q->taken[i].to;
		wide_join(&sum, q->taken[i].integral);
	}
	return right && at == s->end && wide_same(sum, spent(q));
}

static bool check_queue(const char *dir, struct state *s, struct queue *q)
{
	struct depth_row all;
	bool right;

	if (depth_read(&q->depth, s->end, &all))
		msg_die("no memory");
	right = is_right(q, &all) && wide_same(all.integral, spent(q));
	right = rows_are_right(s, q) && right;
	printf("%s\t%u,%u\t%zu\t%" PRIu32 "\t%" PRIu64 "\t%s\n", dir,
	       q->device >> 20, q->device & 0xfffff, q->count, all.most,
	       depth_mean(&all, 1000), right ? "right" : "WRONG");
	free(q->spans);
	depth_free(&q->depth);
	depth_rows_free(&q->rows);
	return right;
}

static bool one_trace(const char *dir)
{
	struct state *s = calloc(1, sizeof(*s));
	struct trace t;
	bool right = true;

	trace_load(&t, dir);
	if (!s)
		msg_die("no memory");
	s->end = t.count ? t.events[t.count - 1].time + 1 : 1;
	s->length = s->end / ROWS + 1;
	join(s, &t);
	for (unsigned int i = 0; i < s->count; i++)
		right = check_queue(dir, s, &s->queues[i]) && right;
	trace_free(&t);
	free(s);
	return right;
}

int main(int argc, char **argv)
{
	bool right = true;

	if (argc < 2) {
		fputs("usage: depth DIRECTORY...\n", stderr);
		return 2;
	}
	for (int i = 1; i < argc; i++)
		right = one_trace(argv[i]) && right;
	return !right;
}
