/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A movie of what happened where on a device: which cells of its map light up
 * in which frame.
 */
#ifndef TOOLS_IOWATCHER_MOVIE_H
#define TOOLS_IOWATCHER_MOVIE_H

#include <stddef.h>
#include <stdint.h>

#include "tools/iowatcher/movie_cells.h"
#include "tools/iowatcher/movie_map.h"

struct sources;			/* tools/iowatcher/sources.h */
struct time_frame;		/* tools/iowatcher/figure.h */
struct watch_options;		/* tools/iowatcher/options.h */

/* 1.3.0: 30 s of 20 frames each; what lights up fades within twelve */
enum {
	MOVIE_RATE = 20, MOVIE_FADE = 12,
	MOVIE_TURNS = 15,	/* of a disc */
	MOVIE_WIDTH = 960, MOVIE_HEIGHT = 540,
	MOVIE_LINES = 250000,	/* cells are larger if there were more */
};

#define MOVIE_SECONDS ((double)MOVIE_FRAMES / MOVIE_RATE)

/* cells from one up to another */
struct movie_run {
	uint16_t class;		/* an enum rate_class */
	uint16_t frame;
	uint32_t from, to;
};

struct movie {
	struct movie_map map;
	/* by class, the last first, as others may be large and hide the rest;
	 * by frame, and cell; none touch */
	struct movie_run *runs;
	size_t count;
	struct plane_range range;	/* of offsets, which the map shows */
};

/* Without memory the program ends. */
void movie_make(struct movie *m, enum movie_style style,
		const struct watch_options *o, const struct time_frame *frame,
		const struct sources *s);

void movie_free(struct movie *m);

/* how strong something is so many frames after it lit up: 1 to 0 */
double movie_strength(unsigned int age);

/* what a class looks like */
int32_t movie_color(unsigned int class);

#endif
