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

struct buf;			/* base/buf.h */

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
