/* SPDX-License-Identifier: GPL-2.0-only */
/* A device as cells; see movie_map.h. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "emit/svg.h"
#include "tools/iowatcher/movie_map.h"

static const double TURN = 2 * 3.14159265358979323846;

/* --- the two styles ------------------------------------------------------- */

static unsigned int rect_tracks(unsigned int cell)
{
	return MAP_HEIGHT / cell;
}

static uint32_t rect_length(const struct movie_map *m, unsigned int track)
{
	(void)track;
	return MAP_WIDTH / m->cell;
}

static void rect_draw(const struct movie_map *m, struct buf *b,
		      unsigned int track, const uint32_t ends[2])
{
	svg_across(b, MAP_X + (double)ends[0] * m->cell,
		   MAP_Y + (track + 0.5) * m->cell,
		   (double)(ends[1] - ends[0]) * m->cell);
}

static uint32_t rect_at(const struct movie_map *m, double x, double y)
{
	unsigned int row = (unsigned int)(y - MAP_Y) / m->cell;

	if (row >= m->tracks)
		return UINT32_MAX;
	return m->first[row] + (unsigned int)(x - MAP_X) / m->cell;
}

static unsigned int spindle_tracks(unsigned int cell)
{
	return (MAP_RADIUS - MAP_HUB) / cell;
}

/* the middle of a ring */
static double radius_of(const struct movie_map *m, unsigned int track)
{
	return MAP_RADIUS - (track + 0.5) * m->cell;
}

static uint32_t spindle_length(const struct movie_map *m, unsigned int track)
{
	return (uint32_t)(TURN * radius_of(m, track) / m->cell);
}

/* A whole ring is two arcs: one would end where it began, and be nothing. */
static void spindle_draw(const struct movie_map *m, struct buf *b,
			 unsigned int track, const uint32_t ends[2])
{
	double cells = spindle_length(m, track);
	struct svg_arc arc = {
		.x = MAP_MIDDLE_X, .y = MAP_MIDDLE_Y,
		.radius = radius_of(m, track),
		.from = ends[0] / cells * TURN, .to = ends[1] / cells * TURN,
	};

	if (arc.to - arc.from > TURN / 2) {
		struct svg_arc half = arc;

		arc.from = half.to = (arc.from + arc.to) / 2;
		svg_arc(b, &half);
	}
	svg_arc(b, &arc);
}

static uint32_t spindle_at(const struct movie_map *m, double x, double y)
{
	double right = x - MAP_MIDDLE_X, up = MAP_MIDDLE_Y - y;
	double radius = sqrt(right * right + up * up);
	double angle = atan2(right, up);
	uint32_t track, cell;

	if (radius >= MAP_RADIUS)
		return UINT32_MAX;
	track = (uint32_t)((MAP_RADIUS - radius) / m->cell);
	if (track >= m->tracks)
		return UINT32_MAX;
	if (angle < 0)
		angle += TURN;
	cell = (uint32_t)(angle / TURN * spindle_length(m, track));
	if (cell >= spindle_length(m, track))
		cell--;
	return m->first[track] + cell;
}

static const struct {
	unsigned int (*tracks)(unsigned int cell);
	uint32_t (*length)(const struct movie_map *m, unsigned int track);
	void (*draw)(const struct movie_map *m, struct buf *b,
		     unsigned int track, const uint32_t ends[2]);
	uint32_t (*at)(const struct movie_map *m, double x, double y);
} styles[MOVIE_STYLES] = {
	[MOVIE_SPINDLE] = { spindle_tracks, spindle_length, spindle_draw,
			    spindle_at },
	[MOVIE_RECT] = { rect_tracks, rect_length, rect_draw, rect_at },
};

/* --- a map ---------------------------------------------------------------- */

int movie_map_init(struct movie_map *m, enum movie_style style,
		   unsigned int cell)
{
	*m = (struct movie_map){ .style = style, .cell = cell,
				 .tracks = styles[style].tracks(cell) };
	m->first = calloc(m->tracks + 1, sizeof(*m->first));
	if (!m->first)
		return -ENOMEM;
	for (unsigned int i = 0; i < m->tracks; i++)
		m->first[i + 1] = m->first[i] + styles[style].length(m, i);
	return 0;
}

void movie_map_free(struct movie_map *m)
{
	free(m->first);
	m->first = NULL;
}

uint32_t movie_map_cells(const struct movie_map *m)
{
	return m->first[m->tracks];
}

unsigned int movie_map_track(const struct movie_map *m, uint32_t cell)
{
	unsigned int low = 0, high = m->tracks - 1;

	while (low < high) {
		unsigned int middle = (low + high + 1) / 2;

		if (m->first[middle] <= cell)
			low = middle;
		else
			high = middle - 1;
	}
	return low;
}

uint32_t movie_map_at(const struct movie_map *m, unsigned int x,
		      unsigned int y)
{
	if (x < MAP_X || x >= MAP_X + MAP_WIDTH || y < MAP_Y ||
	    y >= MAP_Y + MAP_HEIGHT)
		return UINT32_MAX;
	return styles[m->style].at(m, x + 0.5, y + 0.5);
}

void movie_map_draw(const struct movie_map *m, struct buf *b, uint32_t from,
		    uint32_t to)
{
	while (from < to) {
		unsigned int track = movie_map_track(m, from);
		uint32_t end = m->first[track + 1];
		uint32_t ends[] = { from - m->first[track],
				    (to < end ? to : end) - m->first[track] };

		styles[m->style].draw(m, b, track, ends);
		from = end;
	}
}
