/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Parts of a graph in SVG: card, titles, axes, lines, bands, legend.
 */
#ifndef EMIT_SVG_PLOT_H
#define EMIT_SVG_PLOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct buf;			/* base/buf.h */
struct scale;			/* stat/scale.h */

/* the area of the numbers, in px of the card */
struct svg_plot {
	double left, top, width, height;
	double legend;		/* from its right edge to the legend */
};

/* of text, and of less important text */
enum { SVG_INK = 0x18212c, SVG_GREY = 0x5d6b7a };

/* a card with round corners, at 0, 0 */
void svg_card(struct buf *b, double x, double width, double height);

/* the title above the plot, and the unit left of it */
void svg_plot_titles(struct buf *b, const struct svg_plot *p,
		     const char *title, const char *unit);

/* a line across the plot at each tick, with its number left of it */
void svg_plot_rows(struct buf *b, const struct svg_plot *p,
		   const struct scale *y);

/* a mark below the plot at each tick, with numbers if there is a title */
void svg_plot_columns(struct buf *b, const struct svg_plot *p,
		      const struct scale *x, const char *title);

/* --- numbers -------------------------------------------------------------- */

/* numbers over time; NaN is a gap, and a number between two gaps a dot */
struct svg_points {
	const double *x, *y;	/* in the scales' units */
	size_t count;
	const struct scale *across, *up;
};

void svg_plot_line(struct buf *b, const struct svg_points *points,
		   int32_t color, double width, const char *dashes);

/* the area between the points and the y of low, without gaps */
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

enum { SVG_LEGEND_MAX = 14 };	/* entries; the rest are only counted */

/* right of the plot */
void svg_legend(struct buf *b, const struct svg_plot *p,
		const struct svg_legend_entry *entries, size_t count);

#endif
