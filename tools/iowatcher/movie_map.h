/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A device as an area of cells, in px of a movie: rows from left to right, or
 * rings of a disc from the outside in.  Cells are numbered along these tracks.
 */
#ifndef TOOLS_IOWATCHER_MOVIE_MAP_H
#define TOOLS_IOWATCHER_MOVIE_MAP_H

#include <stdint.h>

struct buf;			/* base/buf.h */

enum movie_style { MOVIE_SPINDLE, MOVIE_RECT, MOVIE_STYLES };

/* the place of the area; the rest at its foot is empty */
enum {
	MAP_X = 408, MAP_Y = 48, MAP_WIDTH = 528, MAP_HEIGHT = 456,
	MAP_MIDDLE_X = MAP_X + MAP_WIDTH / 2,
	MAP_MIDDLE_Y = MAP_Y + MAP_HEIGHT / 2,
	MAP_RADIUS = MAP_HEIGHT / 2, MAP_HUB = MAP_RADIUS / 5,
};

struct movie_map {
	enum movie_style style;
	unsigned int cell;	/* px */
	unsigned int tracks;
	uint32_t *first;	/* number of each track's first cell, and of
				 * all cells */
};

/* 0 or -ENOMEM; a cell divides MAP_WIDTH */
int movie_map_init(struct movie_map *m, enum movie_style style,
		   unsigned int cell);
void movie_map_free(struct movie_map *m);

/* all cells */
uint32_t movie_map_cells(const struct movie_map *m);

/* the track of a cell */
unsigned int movie_map_track(const struct movie_map *m, uint32_t cell);

/* the cell of a pixel, or UINT32_MAX */
uint32_t movie_map_at(const struct movie_map *m, unsigned int x,
		      unsigned int y);

/* draws cells from from up to to as strokes of a path, a cell wide */
void movie_map_draw(const struct movie_map *m, struct buf *b, uint32_t from,
		    uint32_t to);

#endif
