/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What is around and in a graph, in SVG: card, titles, axes, lines, bands,
 * legend.  It knows numbers and their names, and not what they are about.
 */
#ifndef EMIT_SVG_PLOT_H
#define EMIT_SVG_PLOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct buf;			/* base/buf.h */
struct scale;			/* stat/scale.h */

/* where numbers are shown, in px of the card */
struct svg_plot {
	double left, top, width, height;
	double legend;		/* from its right edge to the legend */
};

/* text, and text that is less important than the numbers */
enum { SVG_INK = 0x18212c, SVG_GREY = 0x5d6b7a };

/* a card with round corners, at 0, 0 */
void svg_card(struct buf *b, double x, double width, double height);

/* the graph's title above the plot, and what its numbers are, left of it */
void svg_plot_titles(struct buf *b, const struct svg_plot *p,
		     const char *title, const char *unit);

/* a line across the plot at each tick, with its number left of it */
void svg_plot_rows(struct buf *b, const struct svg_plot *p,
		   const struct scale *y);

/* a mark below the plot at each tick; with its number if there is a title */
void svg_plot_columns(struct buf *b, const struct svg_plot *p,
		      const struct scale *x, const char *title);

/* --- numbers -------------------------------------------------------------- */

/* numbers over time; NaN: there is none, and the line has a gap; a number
 * between two gaps is a dot */
struct svg_points {
	const double *x, *y;	/* as the scales have it */
	size_t count;
	const struct scale *across, *up;
};

void svg_plot_line(struct buf *b, const struct svg_points *points,
		   int32_t color, double width, const char *dashes);

/* what is between the points and low, which are other y of the same places;
 * there are no gaps */
void svg_plot_band(struct buf *b, const struct svg_points *points,
		   const double *low, int32_t color);

/* a small cross at each point */
void svg_plot_crosses(struct buf *b, const struct svg_points *points,
		      int32_t color);

/* --- legend --------------------------------------------------------------- */

enum svg_swatch {
	SVG_SQUARE,
	SVG_LINE,
	SVG_DASHES,
	SVG_BAND,
	SVG_CROSS,
};

struct svg_legend_entry {
	enum svg_swatch swatch;
	int32_t color;
	const char *text;
};

/* beyond so many entries comes a line which says how many more there are */
enum { SVG_LEGEND_MAX = 14 };

/* right of the plot */
void svg_legend(struct buf *b, const struct svg_plot *p,
		const struct svg_legend_entry *entries, size_t count);

#endif
