/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A movie of the I/O on a device: the cells of its map that light up in each
 * frame.
 */
#ifndef TOOLS_IOWATCHER_MOVIE_H
#define TOOLS_IOWATCHER_MOVIE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "stat/scale.h"
#include "tools/iowatcher/figure.h"
#include "tools/iowatcher/graphs.h"
#include "tools/iowatcher/movie_map.h"
#include "tools/iowatcher/plane_range.h"

/* --- movie cells ---------------------------------------------------------- */

/*
 * The cells of a movie's map with I/O in each frame, for any map: cells are
 * numbers in the order of offsets.
 */

struct sources;			/* tools/iowatcher/sources.h */
struct touches;			/* stat/touches.h */
struct watch_options;		/* tools/iowatcher/options.h */

enum {
	MOVIE_CELLS = 1 << 14,	/* at most */
	MOVIE_FRAMES = 600,
};

/* a device with I/O */
struct movie_device {
	const struct touches *touches;
	double base;		/* sectors, from the first device's */
};

struct movie_cells {
	struct time_frame time;
	struct plane_range range;	/* of the map */
	struct movie_device *devices;
	size_t count;
};

/* a set of cells, a bit for each */
struct cell_set {
	uint64_t words[MOVIE_CELLS / 64];
};

/* cells from from up to to */
struct cell_run {
	uint32_t from, to;
};

/* --- movie cards ---------------------------------------------------------- */

/* The small graphs beside a movie. */

enum {
	MOVIE_CARDS = 3,
	CARD_X = 24, CARD_Y = 68, CARD_WIDTH = 350, CARD_HEIGHT = 110,
	CARD_PITCH = 160,
};

struct movie_card {
	struct figure figure;
	struct scale across, up;	/* to px of the movie */
	struct unit_choice unit;
	double most;		/* in that unit */
	double y;		/* its top */
};

/* 1.3.0: throughput, CPU, queue depth; without CPU times IOPs */
void movie_cards_make(struct movie_card cards[MOVIE_CARDS],
		      const struct watch_options *o,
		      const struct time_frame *frame, const struct sources *s);

void movie_cards_free(struct movie_card cards[MOVIE_CARDS]);

/* --- movie ---------------------------------------------------------------- */

struct time_frame;		/* tools/iowatcher/figure.h */

/* 1.3.0: 30 s of 20 frames each; light fades within twelve */
enum {
	MOVIE_RATE = 20, MOVIE_FADE = 12,
	MOVIE_TURNS = 15,	/* of a disc */
	MOVIE_WIDTH = 960, MOVIE_HEIGHT = 540,
	MOVIE_LINES = 250000,	/* at most; else cells are larger */
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
	/* by class, the last first, as others may hide the rest; by frame, and
	 * cell; none touch */
	struct movie_run *runs;
	size_t count;
	struct plane_range range;	/* of the map's offsets */
};

/* ends the program without memory */
void movie_make(struct movie *m, enum movie_style style,
		const struct watch_options *o, const struct time_frame *frame,
		const struct sources *s);

void movie_free(struct movie *m);

/* brightness, age frames after lighting up: 1 to 0 */
double movie_strength(unsigned int age);

/* the colour of a class */
int32_t movie_color(unsigned int class);

#endif
