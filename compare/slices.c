/* SPDX-License-Identifier: GPL-2.0-only */
/* A run as slices of time; see slices.h. */
#include <errno.h>
#include <stdlib.h>

#include "compare/slices.h"

/* the first slices are 8 us: nearly all runs end with enough */
enum { FIRST_WIDTH = 8192 };

void compare_slices_init(struct compare_slices *s, bool whole)
{
	*s = (struct compare_slices) {
		.limit = whole ? 1 : COMPARE_SLICES,
		.width = FIRST_WIDTH,
	};
}

static uint64_t count_cells(const struct compare_slices *s)
{
	uint64_t cells = 0;

	for (unsigned int op = 0; op < IO_OPS; op++)
		for (unsigned int i = 0; s->of[op] && i < s->limit; i++)
			cells += s->of[op][i].cells;
	return cells;
}

/* Makes slices of an operation twice as long. */
static int join_neighbours(struct histogram *h, unsigned int limit)
{
	for (unsigned int i = 0; i < limit / 2; i++) {
		struct histogram one = h[2 * i];
		int error;

		h[2 * i] = (struct histogram){ 0 };
		h[i] = one;
		error = histogram_merge(&h[i], &h[2 * i + 1]);
		if (error)
			return error;
		histogram_free(&h[2 * i + 1]);
	}
	return 0;
}

static int coarsen(struct compare_slices *s)
{
	for (unsigned int op = 0; op < IO_OPS; op++) {
		int error = s->of[op] ?
			join_neighbours(s->of[op], s->limit) : 0;

		if (error)
			return error;
	}
	s->width *= 2;
	s->cells = count_cells(s);
	return 0;
}

static uint64_t place(const struct compare_slices *s, uint64_t when)
{
	return s->limit == 1 ? 0 : (when - s->from) / s->width;
}

/* Makes slices longer until one has the latest time. */
static int reach(struct compare_slices *s, uint64_t when)
{
	if (!s->any) {
		s->any = true;
		s->from = s->last = when;
	}
	if (when > s->last)
		s->last = when;
	while (place(s, s->last) >= s->limit) {
		int error = coarsen(s);

		if (error)
			return error;
	}
	return 0;
}

/* Numbers that differ much need many cells: fewer slices are enough. */
static int save_memory(struct compare_slices *s)
{
	while (s->cells > COMPARE_SLICES_CELLS &&
	       compare_slices_used(s) >= 2 * COMPARE_SLICES_LEAST) {
		int error = coarsen(s);

		if (error)
			return error;
	}
	return 0;
}

/* the histogram for a time, or NULL */
static struct histogram *find(struct compare_slices *s, enum io_op op,
			      uint64_t when)
{
	if (!s->of[op])
		s->of[op] = calloc(s->limit, sizeof(*s->of[op]));
	if (!s->of[op])
		return NULL;
	return &s->of[op][place(s, when > s->from ? when : s->from)];
}

int compare_slices_add(struct compare_slices *s, enum io_op op, uint64_t when,
		       uint64_t value)
{
	int error = reach(s, when);
	struct histogram *h;
	uint32_t before;

	if (error)
		return error;
	h = find(s, op, when);
	if (!h)
		return -ENOMEM;
	before = h->cells;
	error = histogram_add(h, value);
	if (error || h->cells == before)
		return error;
	s->cells += h->cells - before;
	return save_memory(s);
}

int compare_slices_add_all(struct compare_slices *s, enum io_op op,
			   uint64_t from, uint64_t until,
			   const struct histogram *h)
{
	struct histogram *into;
	uint32_t before;
	int error;

	if (until <= from)
		until = from + 1;
	if (!s->any)
		s->width = until - from;
	error = reach(s, from);
	if (!error)
		error = reach(s, until - 1);
	if (error)
		return error;
	into = find(s, op, from);
	if (!into)
		return -ENOMEM;
	before = into->cells;
	error = histogram_merge(into, h);
	s->cells += into->cells - before;
	return error ? error : save_memory(s);
}

unsigned int compare_slices_used(const struct compare_slices *s)
{
	return s->any ? (unsigned int)place(s, s->last) + 1 : 0;
}

uint64_t compare_slices_length(const struct compare_slices *s)
{
	uint64_t past = s->last - s->from;

	return s->any ? past + (past < UINT64_MAX) : 0;
}

uint64_t compare_slices_ns(const struct compare_slices *s, unsigned int i)
{
	uint64_t length = compare_slices_length(s);

	if (s->limit == 1)
		return length;
	if (i + 1 < compare_slices_used(s))
		return s->width;
	return length - i * s->width;
}

void compare_slices_free(struct compare_slices *s)
{
	for (unsigned int op = 0; op < IO_OPS; op++) {
		for (unsigned int i = 0; s->of[op] && i < s->limit; i++)
			histogram_free(&s->of[op][i]);
		free(s->of[op]);
		s->of[op] = NULL;
	}
}
