/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What moves in an SVG: without a script, over and over, as any browser plays
 * it.  All is timed by one loop, which stands first in the document.
 */
#ifndef EMIT_SVG_MOVING_H
#define EMIT_SVG_MOVING_H

#include <stdint.h>

struct buf;			/* base/buf.h */

/* the loop, in seconds */
void svg_loop(struct buf *b, double seconds);

/* ends a path which can be seen from a moment of the loop on, and fades; its
 * style is the group's */
void svg_path_flash(struct buf *b, double at, double seconds);

/* a group of strokes without fill, ended by svg_group_end() */
void svg_strokes(struct buf *b, int32_t color, double width);

/* an upright line that crosses a distance to the right within the loop */
struct svg_cursor {
	double x, y, height, distance;
	int32_t color;
};

void svg_cursor(struct buf *b, const struct svg_cursor *c, double seconds);

/* a line from a middle upwards that turns to the right, once in so long */
struct svg_hand {
	double x, y, length;
	int32_t color;
};

void svg_hand(struct buf *b, const struct svg_hand *h, double seconds);

/* in a path: an arc to the right around a middle, by angles from the top, in
 * radians, which are not a whole turn apart */
struct svg_arc {
	double x, y, radius;
	double from, to;
};

void svg_arc(struct buf *b, const struct svg_arc *a);

#endif
