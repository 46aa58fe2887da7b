/* SPDX-License-Identifier: GPL-2.0-only */
/* Which cells light up when; see movie.h. */
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/msg.h"
#include "stat/rates.h"
#include "tools/iowatcher/colors.h"
#include "tools/iowatcher/movie.h"
#include "tools/iowatcher/movie_cells.h"

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
