/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which cells of a movie's map something happens to in a frame, whatever the
 * map looks like: cells are numbers, in the order of offsets.
 */
#ifndef TOOLS_IOWATCHER_MOVIE_CELLS_H
#define TOOLS_IOWATCHER_MOVIE_CELLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/iowatcher/figure.h"
#include "tools/iowatcher/plane_range.h"

struct sources;			/* tools/iowatcher/sources.h */
struct touches;			/* stat/touches.h */
struct watch_options;		/* tools/iowatcher/options.h */

enum {
	MOVIE_CELLS = 1 << 14,	/* no map has more */
	MOVIE_FRAMES = 600,
};

/* a device of a trace, of which there is something */
struct movie_device {
	const struct touches *touches;
	double base;		/* sectors, from the first device's */
};

struct movie_cells {
	struct time_frame time;
	struct plane_range range;	/* what the map shows */
	struct movie_device *devices;
	size_t count;
};

/* s has been read for a movie, and outlives *c.  Without memory the program
 * ends. */
void movie_cells_init(struct movie_cells *c, const struct watch_options *o,
		      const struct time_frame *time, const struct sources *s);

void movie_cells_free(struct movie_cells *c);

/* a set of cells, a bit for each */
struct cell_set {
	uint64_t words[MOVIE_CELLS / 64];
};

/* what a class, an enum rate_class, has in the frame, on a map of so many
 * cells */
void movie_cells_get(const struct movie_cells *c, unsigned int frame,
		     unsigned int class, uint32_t cells, struct cell_set *set);

/* cells from one up to another */
struct cell_run {
	uint32_t from, to;
};

/* The next run behind *run, which is { 0, 0 } at first; false: no more. */
bool cell_set_next(const struct cell_set *set, struct cell_run *run);

#endif
