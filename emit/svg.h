/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * SVG: a document's parts, as text for any reader of XML.  Presentation
 * attributes only: no style sheet, script, filter, or reference to anything.
 *
 * Places are in px from the upper left corner of the document, or of the group
 * that a part is in; one decimal is kept.
 */
#ifndef EMIT_SVG_H
#define EMIT_SVG_H

#include <stdbool.h>
#include <stdint.h>

/* --- svg cells ------------------------------------------------------------ */

/*
 * A picture of equal cells in SVG: what lies side by side in one colour is one
 * line, and all lines of a colour are one path, so that its size is bounded by
 * the picture's.
 */

struct buf;			/* base/buf.h */

struct svg_cells {
	double x, y;		/* of the upper left corner, in px */
	unsigned int size;	/* of a cell, in px: a whole number */
	unsigned int columns, rows;
	/* a style of each cell, row by row from the top; 0: it is empty */
	const uint16_t *cells;
};

struct svg_cell_style {
	int32_t color;		/* 0xRRGGBB */
	double opacity;		/* above 0, up to 1 */
};

/* styles are numbered from 1; a cell with a greater number is empty */
void svg_cells(struct buf *b, const struct svg_cells *c,
	       const struct svg_cell_style *styles, unsigned int count);

/* --- svg moving ----------------------------------------------------------- */

/*
 * What moves in an SVG: without a script, over and over, as any browser plays
 * it.  All is timed by one loop, which stands first in the document.
 */

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

/* --- svg ------------------------------------------------------------------ */

/* a colour that is none: nothing is filled, or drawn */
enum { SVG_NONE = -1 };

/* how a shape looks; a member that is 0 is not written, so that a group's, or
 * the usual, holds; but fill and stroke are 0xRRGGBB or SVG_NONE */
struct svg_style {
	int32_t fill, stroke;
	double stroke_width;
	double opacity;		/* of all of it */
	const char *dashes;	/* "4 3" */
	bool round;		/* a line's ends and corners */
};

/*
 * The document's head.  The title and the description are for those who cannot
 * see it, and for tooltips; each may be "".
 */
void svg_begin(struct buf *b, unsigned int width, unsigned int height,
	       const char *title, const char *description);
void svg_end(struct buf *b);

/* what follows has its places from here on, up to svg_group_end() */
void svg_group(struct buf *b, double x, double y);
void svg_group_end(struct buf *b);

void svg_rect(struct buf *b, double x, double y, double width, double height,
	      const struct svg_style *style);

/* --- text ----------------------------------------------------------------- */

enum svg_anchor { SVG_START, SVG_MIDDLE, SVG_END };

/* how a text looks */
struct svg_font {
	enum svg_anchor anchor;	/* which part of it is at its place */
	unsigned int size;	/* px */
	int32_t fill;
	bool bold;
	bool upwards;		/* it is turned a quarter to the left */
};

/*
 * A line of text, with its foot at y.  It may be any bytes: what is markup is
 * escaped; control characters, and what XML or UTF-8 does not have, become
 * U+FFFD.
 */
void svg_text(struct buf *b, double x, double y, const struct svg_font *font,
	      const char *text);

/* such bytes alone, as in a text or an attribute */
void svg_escape(struct buf *b, const char *text);

/* --- paths ---------------------------------------------------------------- */

/* a shape of lines: svg_path(), its points, svg_path_end() */
void svg_path(struct buf *b);
void svg_move(struct buf *b, double x, double y);
void svg_line(struct buf *b, double x, double y);
/* from a place so far to the right */
void svg_across(struct buf *b, double x, double y, double length);
/* back to where it began */
void svg_close(struct buf *b);
void svg_path_end(struct buf *b, const struct svg_style *style);

#endif
