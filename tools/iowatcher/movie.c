/* SPDX-License-Identifier: GPL-2.0-only */
/* Which cells light up when; see movie.h. */
#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/msg.h"
#include "base/time.h"
#include "base/wide.h"
#include "stat/rates.h"
#include "stat/scale.h"
#include "tools/iowatcher/figure.h"
#include "tools/iowatcher/graphs.h"
#include "tools/iowatcher/movie.h"
#include "tools/iowatcher/options.h"
#include "tools/iowatcher/plane_range.h"
#include "tools/iowatcher/sources.h"
#include "tools/iowatcher/traced.h"

/* --- movie cells ---------------------------------------------------------- */

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

/* s has been read for a movie, and outlives *c.  Without memory the program
 * ends. */
static void movie_cells_init(struct movie_cells *c,
			     const struct watch_options *o,
			     const struct time_frame *time,
			     const struct sources *s)
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

static void movie_cells_free(struct movie_cells *c)
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

/* The next run behind *run, which is { 0, 0 } at first; false: no more. */
static bool cell_set_next(const struct cell_set *set, struct cell_run *run)
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

static void movie_cells_add_run(struct cell_set *set, const struct rows *r,
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

/* what a class, an enum rate_class, has in the frame, on a map of so many
 * cells */
static void movie_cells_get(const struct movie_cells *c, unsigned int frame,
			    unsigned int class, uint32_t cells,
			    struct cell_set *set)
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
				movie_cells_add_run(set, &r, &run);
	}
}

/* --- movie cards ---------------------------------------------------------- */

static double seconds(uint64_t ns)
{
	return (double)ns / (double)NS_PER_SECOND;
}

static void make_card(struct movie_card *c, enum graph_kind kind,
		      const struct watch_options *o,
		      const struct time_frame *frame, const struct sources *s)
{
	double most;

	figure_make(&c->figure, kind, o, frame, s);
	most = figure_most(&c->figure);
	c->unit = units_choose(kind, most);
	c->most = most / c->unit.size;
	scale_set(&c->across, seconds(frame->from), seconds(frame->to), 2);
	scale_place(&c->across, CARD_X, CARD_X + CARD_WIDTH);
	scale_set(&c->up, 0, most, 2);
	scale_place(&c->up, c->y + CARD_HEIGHT, c->y);
}

void movie_cards_make(struct movie_card cards[MOVIE_CARDS],
		      const struct watch_options *o,
		      const struct time_frame *frame, const struct sources *s)
{
	bool cpus = sources_graphs(s, o) & GRAPH_BIT(GRAPH_CPU_USER);
	const enum graph_kind kinds[MOVIE_CARDS] = {
		GRAPH_TPUT, cpus ? GRAPH_CPU_USER : GRAPH_IOPS, GRAPH_DEPTH,
	};

	for (int i = 0; i < MOVIE_CARDS; i++) {
		cards[i].y = CARD_Y + i * CARD_PITCH;
		make_card(&cards[i], kinds[i], o, frame, s);
	}
}

void movie_cards_free(struct movie_card cards[MOVIE_CARDS])
{
	for (int i = 0; i < MOVIE_CARDS; i++)
		figure_free(&cards[i].figure);
}

/* --- movie ---------------------------------------------------------------- */

/*
 * sizes of cells, of which the first is taken that makes few enough lines; with
 * the last, more of them would need an I/O in every second cell, again and
 * again
 */
static const unsigned int sizes[] = { 4, 6, 8, 12, 16, 24 };

enum { SIZES = sizeof(sizes) / sizeof(*sizes) };

struct filling {
	struct movie *m;
	const struct movie_cells *cells;
	size_t size;		/* of runs */
	unsigned int lines;	/* a run has one in each track */
	unsigned int most;	/* of them; with more it ends */
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
	f->lines += movie_map_track(&m->map, run->to - 1) -
		    movie_map_track(&m->map, run->from) + 1;
}

static void add_frame(struct filling *f, unsigned int class,
		      unsigned int frame)
{
	uint32_t cells = movie_map_cells(&f->m->map);
	struct cell_run run = { 0, 0 };
	struct cell_set set;

	movie_cells_get(f->cells, frame, class, cells, &set);
	while (f->lines <= f->most && cell_set_next(&set, &run))
		add_run(f, &(struct movie_run){ (uint16_t)class,
						(uint16_t)frame, run.from,
						run.to });
}

/* whether there are not too many */
static bool fill(struct filling *f)
{
	for (unsigned int i = RATE_CLASSES; i--;)
		for (unsigned int k = 0; k < MOVIE_FRAMES; k++)
			add_frame(f, i, k);
	return f->lines <= f->most;
}

static bool try_size(struct movie *m, const struct movie_cells *cells,
		     enum movie_style style, unsigned int nr)
{
	struct filling f = { .m = m, .cells = cells,
			     .most = nr < SIZES - 1 ? MOVIE_LINES : UINT_MAX };

	if (movie_map_init(&m->map, style, sizes[nr]))
		msg_die("out of memory");
	return fill(&f);
}

void movie_make(struct movie *m, enum movie_style style,
		const struct watch_options *o, const struct time_frame *frame,
		const struct sources *s)
{
	struct movie_cells cells;

	*m = (struct movie){ .count = 0 };
	movie_cells_init(&cells, o, frame, s);
	for (unsigned int i = 0; !try_size(m, &cells, style, i); i++)
		movie_free(m);
	m->range = cells.range;
	movie_cells_free(&cells);
}

void movie_free(struct movie *m)
{
	movie_map_free(&m->map);
	free(m->runs);
	*m = (struct movie){ .count = 0 };
}

/* As svg_path_flash() has it: it stays for half of the time, and then goes. */
double movie_strength(unsigned int age)
{
	const double half = MOVIE_FADE / 2.0, there = 0.85;

	if (age >= MOVIE_FADE)
		return 0;
	if (age < half)
		return 1 - (1 - there) * age / half;
	return there * (MOVIE_FADE - age) / half;
}

int32_t movie_color(unsigned int class)
{
	static const int32_t colors[RATE_CLASSES] = {
		[RATE_READ] = COLOR_READS,
		[RATE_WRITE] = COLOR_WRITES,
		[RATE_OTHER] = COLOR_OTHERS,
	};

	return colors[class];
}
