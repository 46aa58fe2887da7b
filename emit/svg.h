/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Parts of an SVG document.  Presentation attributes only: no style sheet,
 * script, filter or external reference.
 *
 * Coordinates are px from the upper left corner of the document or group, with
 * one decimal.
 */
#ifndef EMIT_SVG_H
#define EMIT_SVG_H

#include <stdbool.h>
#include <stdint.h>

/* --- svg cells ------------------------------------------------------------ */

/*
 * A grid of cells.  Neighbours of one colour in a row are one line, and all
 * lines of a colour one path, which bounds the size.
 */

struct buf;			/* base/buf.h */

struct svg_cells {
	double x, y;		/* of the upper left corner, in px */
	unsigned int size;	/* of a cell, in px */
	unsigned int columns, rows;
	/* a style for each cell, row by row from the top; 0: empty */
	const uint16_t *cells;
};

struct svg_cell_style {
	int32_t color;		/* 0xRRGGBB */
	double opacity;		/* above 0, up to 1 */
};

/* styles are numbered from 1; cells with a number above count are empty */
void svg_cells(struct buf *b, const struct svg_cells *c,
	       const struct svg_cell_style *styles, unsigned int count);

/* --- svg moving ----------------------------------------------------------- */

/*
 * Animation without scripts, timed by one endless loop, which must be first in
 * the document.
 */

void svg_loop(struct buf *b, double seconds);

/* ends a path that appears at a time of the loop and fades, in its group's
 * style */
void svg_path_flash(struct buf *b, double at, double seconds);

/* a group of strokes without fill, ended by svg_group_end() */
void svg_strokes(struct buf *b, int32_t color, double width);

/* a vertical line that moves a distance to the right during the loop */
struct svg_cursor {
	double x, y, height, distance;
	int32_t color;
};

void svg_cursor(struct buf *b, const struct svg_cursor *c, double seconds);

/* a line from a centre upwards that rotates clockwise, once in seconds */
struct svg_hand {
	double x, y, length;
	int32_t color;
};

void svg_hand(struct buf *b, const struct svg_hand *h, double seconds);

/* in a path: a clockwise arc around a centre.  Angles are in radians from the
 * top, and less than a full turn apart. */
struct svg_arc {
	double x, y, radius;
	double from, to;
};

void svg_arc(struct buf *b, const struct svg_arc *a);

/* --- svg ------------------------------------------------------------------ */

enum { SVG_NONE = -1 };		/* no colour: nothing is filled or drawn */

/* fill and stroke are 0xRRGGBB or SVG_NONE; other members that are 0 are
 * inherited */
struct svg_style {
	int32_t fill, stroke;
	double stroke_width;
	double opacity;		/* of all of it */
	const char *dashes;	/* "4 3" */
	bool round;		/* a line's ends and corners */
};

/* The title and description, for screen readers and tooltips, may be "". */
void svg_begin(struct buf *b, unsigned int width, unsigned int height,
	       const char *title, const char *description);
void svg_end(struct buf *b);

/* moves the origin to x, y, up to svg_group_end() */
void svg_group(struct buf *b, double x, double y);
void svg_group_end(struct buf *b);

void svg_rect(struct buf *b, double x, double y, double width, double height,
	      const struct svg_style *style);

/* --- text ----------------------------------------------------------------- */

enum svg_anchor { SVG_START, SVG_MIDDLE, SVG_END };

struct svg_font {
	enum svg_anchor anchor;	/* the part of the text at x */
	unsigned int size;	/* px */
	int32_t fill;
	bool bold;
	bool upwards;		/* rotated by 90 degrees, to read upwards */
};

/*
 * A line of text with its baseline at y.  Any bytes: markup is escaped; control
 * characters and what XML or UTF-8 forbids become U+FFFD.
 */
void svg_text(struct buf *b, double x, double y, const struct svg_font *font,
	      const char *text);

/* such bytes only, for a text or an attribute */
void svg_escape(struct buf *b, const char *text);

/* --- paths ---------------------------------------------------------------- */

/* a shape of lines: svg_path(), its points, svg_path_end() */
void svg_path(struct buf *b);
void svg_move(struct buf *b, double x, double y);
void svg_line(struct buf *b, double x, double y);
/* from a point length to the right */
void svg_across(struct buf *b, double x, double y, double length);
/* back to the first point */
void svg_close(struct buf *b);
void svg_path_end(struct buf *b, const struct svg_style *style);

#endif
