/* SPDX-License-Identifier: GPL-2.0-only */
/* Cells of a frame; see movie_cells.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/msg.h"
#include "base/wide.h"
#include "tools/iowatcher/movie_cells.h"
#include "tools/iowatcher/options.h"
#include "tools/iowatcher/sources.h"
#include "tools/iowatcher/traced.h"

_Static_assert((int)RATE_CLASSES == (int)TOUCHES_CLASSES,
	       "each class has its bits");

enum { WORD = 64 };

/* --- devices -------------------------------------------------------------- */

static void add_devices(struct movie_cells *c, const struct traced *t)
{
	for (size_t i = 0; i < t->device_count; i++)
		if (t->devices[i].touches.bits)
			c->devices[c->count++] = (struct movie_device){
				&t->devices[i].touches,
				plane_range_base(&c->range, t, i)
			};
}

void movie_cells_init(struct movie_cells *c, const struct watch_options *o,
		      const struct time_frame *time, const struct sources *s)
{
	size_t most = 1;

	*c = (struct movie_cells){ .time = *time };
	for (size_t i = 0; i < s->trace_count; i++)
		most += s->traces[i].device_count;
	c->devices = calloc(most, sizeof(*c->devices));
	if (!c->devices)
		msg_die("out of memory");
	if (!plane_range_find(&c->range, &o->sectors, s->traces,
			      s->trace_count))
		return;
	for (size_t i = 0; i < s->trace_count; i++)
		add_devices(c, &s->traces[i]);
}

void movie_cells_free(struct movie_cells *c)
{
	free(c->devices);
}

/* --- sets ----------------------------------------------------------------- */

/* Those that there are not are left out. */
static void add_cells(struct cell_set *set, uint32_t cells, double from,
		      double to)
{
	uint32_t last = to < cells ? (uint32_t)to : cells;

	for (uint32_t i = from > 0 ? (uint32_t)from : 0; i < last; i++)
		set->words[i / WORD] |= 1ULL << i % WORD;
}

/* The first cell from one on whose bit is not flip's, or MOVIE_CELLS. */
static uint32_t find(const struct cell_set *set, uint32_t cell, uint64_t flip)
{
	uint32_t word = cell / WORD;
	uint64_t bits;

	if (cell >= MOVIE_CELLS)
		return MOVIE_CELLS;
	bits = (set->words[word] ^ flip) & ~0ULL << cell % WORD;
	while (!bits && ++word < MOVIE_CELLS / WORD)
		bits = set->words[word] ^ flip;
	return bits ? word * WORD + (uint32_t)__builtin_ctzll(bits) :
		      MOVIE_CELLS;
}

bool cell_set_next(const struct cell_set *set, struct cell_run *run)
{
	run->from = find(set, run->to, 0);
	run->to = find(set, run->from, ~0ULL);
	return run->from < MOVIE_CELLS;
}

/* --- frames --------------------------------------------------------------- */

/* the ns at which a frame begins, from the first one's begin */
static uint64_t begin_of(const struct movie_cells *c, unsigned int frame)
{
	return wide_share(c->time.to - c->time.from, frame, MOVIE_FRAMES);
}

/* A column belongs to the frame that its middle is in, and what is beyond to
 * the last one. */
static unsigned int column_at(const struct movie_cells *c,
			      const struct touches *t, unsigned int frame)
{
	uint64_t column = begin_of(c, frame) / t->width;

	if (frame == MOVIE_FRAMES)
		return TOUCHES_COLUMNS;
	column += begin_of(c, frame) % t->width > t->width / 2;
	return column < TOUCHES_COLUMNS ? (unsigned int)column :
					  TOUCHES_COLUMNS;
}

/* one device's rows on the map */
struct rows {
	double first, cells;	/* where the first one is; of each */
	uint32_t all;		/* cells of the map */
};

/* What is smaller than a cell is where its middle is; but a row at either end
 * may begin or end beyond what the map shows. */
static double cell_at(const struct rows *r, double middle)
{
	return fmin(fmax(floor(middle), 0), r->all - 1.0);
}

static void add_run(struct cell_set *set, const struct rows *r,
		    const struct touches_run *run)
{
	double from = r->first + run->from * r->cells;
	double to = r->first + run->to * r->cells;

	if (to <= 0 || from >= r->all)
		return;
	if (to - from <= 1) {
		from = cell_at(r, (from + to) / 2);
		to = from + 0.5;
	}
	add_cells(set, r->all, from, to + 0.5);
}

void movie_cells_get(const struct movie_cells *c, unsigned int frame,
		     unsigned int class, uint32_t cells, struct cell_set *set)
{
	double scale = cells / (c->range.high - c->range.low);

	memset(set, 0, sizeof(*set));
	for (size_t i = 0; i < c->count; i++) {
		const struct touches *t = c->devices[i].touches;
		double base = c->devices[i].base + (double)t->base;
		const struct rows r = { (base - c->range.low) * scale,
					(double)t->height * scale, cells };
		unsigned int to = column_at(c, t, frame + 1);

		for (unsigned int k = column_at(c, t, frame); k < to; k++)
			for (struct touches_run run = { 0, 0 };
			     touches_next(t, class, k, &run);)
				add_run(set, &r, &run);
	}
}
