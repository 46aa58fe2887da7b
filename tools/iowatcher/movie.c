/* SPDX-License-Identifier: GPL-2.0-only */
/* Which cells light up when; see movie.h. */
#include <stdlib.h>

#include "base/array.h"
#include "base/msg.h"
#include "tools/iowatcher/figure.h"
#include "tools/iowatcher/movie.h"
#include "tools/iowatcher/options.h"
#include "tools/iowatcher/plane_range.h"
#include "tools/iowatcher/sources.h"
#include "tools/iowatcher/traced.h"

/* sizes of cells, of which the first is taken that makes few enough runs */
static const unsigned int sizes[] = { 4, 6, 8, 12 };

enum { SIZES = sizeof(sizes) / sizeof(*sizes) };

struct filling {
	struct movie *m;
	const struct time_frame *frame;
	struct plane_range range;
	size_t size;		/* of runs */

	/* the raster that is being put in */
	const struct raster *raster;
	double base;
};

static void add_run(struct filling *f, const struct movie_run *run)
{
	struct movie *m = f->m;
	struct movie_run *runs = array_reserve(m->runs, m->count, &f->size,
					       1024, sizeof(*runs));

	if (!runs)
		msg_die("out of memory");
	m->runs = runs;
	runs[m->count++] = *run;
}

/* the frame that shows a moment */
static uint16_t frame_of(const struct filling *f, uint64_t time)
{
	double part = (double)(time - f->frame->from) /
		      (double)(f->frame->to - f->frame->from);
	unsigned int frame = (unsigned int)(part * MOVIE_FRAMES);

	return (uint16_t)(frame < MOVIE_FRAMES ? frame : MOVIE_FRAMES - 1);
}

static void put_cell(void *ctx, const struct raster_cell *c)
{
	struct filling *f = ctx;
	const struct plane_range *r = &f->range;
	double cells = movie_map_cells(&f->m->map);
	double scale = cells / (r->high - r->low);
	double low = (f->base + (double)c->sector - r->low) * scale;
	double high = low + (double)f->raster->height * scale;
	struct movie_run run = {
		.class = (uint16_t)(c->class % RATE_CLASSES),
		.frame = frame_of(f, c->time + f->raster->width / 2),
	};

	if (high <= 0 || low >= cells)
		return;
	run.from = low > 0 ? (uint32_t)low : 0;
	run.to = high < cells ? (uint32_t)high : (uint32_t)cells;
	if (run.to <= run.from)
		run.to = run.from + 1;
	add_run(f, &run);
}

static int by_place(const void *a, const void *b)
{
	const struct movie_run *one = a, *other = b;

	if (one->class != other->class)
		return one->class < other->class ? -1 : 1;
	if (one->frame != other->frame)
		return one->frame < other->frame ? -1 : 1;
	return (one->from > other->from) - (one->from < other->from);
}

/* those that touch become one */
static void merge(struct movie *m)
{
	size_t n = 0;

	if (m->count)
		qsort(m->runs, m->count, sizeof(*m->runs), by_place);
	for (size_t i = 0; i < m->count; i++) {
		struct movie_run *last = n ? &m->runs[n - 1] : NULL;
		const struct movie_run *run = &m->runs[i];

		if (last && last->class == run->class &&
		    last->frame == run->frame && run->from <= last->to) {
			if (run->to > last->to)
				last->to = run->to;
		} else {
			m->runs[n++] = *run;
		}
	}
	m->count = n;
}

static void fill(struct filling *f, const struct sources *s)
{
	for (size_t i = 0; i < s->trace_count; i++) {
		const struct traced *t = &s->traces[i];

		for (size_t k = 0; k < t->device_count; k++) {
			f->raster = &t->devices[k].raster;
			f->base = plane_range_base(&f->range, t, k);
			raster_each(f->raster, put_cell, f);
		}
	}
	merge(f->m);
}

void movie_make(struct movie *m, enum movie_style style,
		const struct watch_options *o, const struct time_frame *frame,
		const struct sources *s)
{
	struct filling f = { .m = m, .frame = frame };
	bool any = plane_range_find(&f.range, &o->sectors, s->traces,
				    s->trace_count);

	*m = (struct movie){ .count = 0 };
	for (int i = 0; i < SIZES; i++) {
		movie_free(m);
		f.size = 0;
		if (movie_map_init(&m->map, style, sizes[i]))
			msg_die("out of memory");
		if (any)
			fill(&f, s);
		if (m->count <= MOVIE_RUNS)
			return;
	}
}

void movie_free(struct movie *m)
{
	movie_map_free(&m->map);
	free(m->runs);
	*m = (struct movie){ .count = 0 };
}
