/* SPDX-License-Identifier: GPL-2.0-only */
/* Parts of a graph; see svg_plot.h. */
#include <math.h>
#include <stdio.h>

#include "base/buf.h"
#include "emit/svg.h"
#include "emit/svg_plot.h"
#include "stat/scale.h"

enum {
	TITLE_SIZE = 18, TEXT_SIZE = 14, NUMBER_SIZE = 13,
	CARD = 0xffffff, EDGE = 0xdfe4ea, RULE = 0xe2e6eb, AXIS = 0x8291a0,
	TICK = 5,		/* px of the mark */
	DOT = 4,
	NUMBER_MAX = 40,	/* a tick's number as text */
	/* of the legend: from an entry to its text, and a line */
	LEGEND_TEXT = 22, LEGEND_LINE = 15, LEGEND_SWATCH = 14,
};

/* of a band, and of its swatch */
static const double BAND = 0.25;

static const char DASHES[] = "4 3";

void svg_card(struct buf *b, double x, double width, double height)
{
	const struct svg_style style = { .fill = CARD, .stroke = EDGE,
					 .stroke_width = 1 };

	svg_rect(b, x + 0.5, 0.5, width - 1, height - 1, &style);
}

void svg_plot_titles(struct buf *b, const struct svg_plot *p,
		     const char *title, const char *unit)
{
	const struct svg_font above = { .anchor = SVG_MIDDLE, .bold = true,
					.size = TITLE_SIZE, .fill = SVG_INK };
	const struct svg_font beside = { .anchor = SVG_MIDDLE, .upwards = true,
					 .size = TEXT_SIZE, .fill = SVG_GREY };

	svg_text(b, p->left + p->width / 2, p->top - 30, &above, title);
	svg_text(b, p->left - 78, p->top + p->height / 2, &beside, unit);
}

/* --- axes ----------------------------------------------------------------- */

static void put_number(struct buf *b, double x, double y,
		       enum svg_anchor anchor, const struct scale *s,
		       unsigned int tick)
{
	const struct svg_font font = { .anchor = anchor, .size = NUMBER_SIZE,
				       .fill = SVG_GREY };
	char text[NUMBER_MAX];

	snprintf(text, sizeof(text), "%.*f", (int)s->decimals,
		 scale_tick(s, tick));
	svg_text(b, x, y, &font, text);
}

/* A line of 1 px is sharp in the middle of a pixel. */
static double sharp(double place)
{
	return floor(place) + 0.5;
}

static void put_rule(struct buf *b, const struct svg_plot *p, double y,
		     int32_t color)
{
	const struct svg_style style = { .fill = SVG_NONE, .stroke = color };

	svg_path(b);
	svg_across(b, p->left, sharp(y), p->width);
	svg_path_end(b, &style);
}

void svg_plot_rows(struct buf *b, const struct svg_plot *p,
		   const struct scale *y)
{
	for (unsigned int i = 0; i < y->ticks; i++) {
		double at = scale_at(y, scale_tick(y, i));

		put_rule(b, p, at, RULE);
		put_number(b, p->left - 8, at + 4.5, SVG_END, y, i);
	}
	put_rule(b, p, p->top + p->height, AXIS);
}

void svg_plot_columns(struct buf *b, const struct svg_plot *p,
		      const struct scale *x, const char *title)
{
	const struct svg_style mark = { .fill = SVG_NONE, .stroke = AXIS };
	const struct svg_font font = { .anchor = SVG_MIDDLE, .size = TEXT_SIZE,
				       .fill = SVG_GREY };
	double foot = p->top + p->height;

	svg_path(b);
	for (unsigned int i = 0; i < x->ticks; i++) {
		double at = sharp(scale_at(x, scale_tick(x, i)));

		svg_move(b, at, foot);
		svg_line(b, at, foot + TICK);
	}
	svg_path_end(b, &mark);
	for (unsigned int i = 0; title && i < x->ticks; i++)
		put_number(b, scale_at(x, scale_tick(x, i)), foot + 20,
			   SVG_MIDDLE, x, i);
	if (title)
		svg_text(b, p->left + p->width / 2, foot + 48, &font, title);
}

/* --- numbers -------------------------------------------------------------- */

static double place_x(const struct svg_points *p, size_t i)
{
	return scale_at(p->across, p->x[i]);
}

static bool is_lonely(const struct svg_points *p, size_t i)
{
	return !isnan(p->y[i]) && (!i || isnan(p->y[i - 1])) &&
	       (i + 1 == p->count || isnan(p->y[i + 1]));
}

static void put_points(struct buf *b, const struct svg_points *p)
{
	bool on = false;

	for (size_t i = 0; i < p->count; i++) {
		if (isnan(p->y[i]) || is_lonely(p, i)) {
			on = false;
			continue;
		}
		if (on)
			svg_line(b, place_x(p, i), scale_at(p->up, p->y[i]));
		else
			svg_move(b, place_x(p, i), scale_at(p->up, p->y[i]));
		on = true;
	}
}

/* A point between two gaps is a dot: its line would be invisible. */
static void put_dots(struct buf *b, const struct svg_points *p, int32_t color)
{
	const struct svg_style style = { .fill = SVG_NONE, .stroke = color,
					 .stroke_width = DOT, .round = true };
	bool any = false;

	for (size_t i = 0; i < p->count; i++) {
		if (!is_lonely(p, i))
			continue;
		if (!any)
			svg_path(b);
		any = true;
		svg_across(b, place_x(p, i), scale_at(p->up, p->y[i]), 0);
	}
	if (any)
		svg_path_end(b, &style);
}

void svg_plot_line(struct buf *b, const struct svg_points *points,
		   int32_t color, double width, const char *dashes)
{
	const struct svg_style style = { .fill = SVG_NONE, .stroke = color,
					 .stroke_width = width,
					 .dashes = dashes, .round = true };

	svg_path(b);
	put_points(b, points);
	svg_path_end(b, &style);
	put_dots(b, points, color);
}

void svg_plot_band(struct buf *b, const struct svg_points *points,
		   const double *low, int32_t color)
{
	const struct svg_style style = { .fill = color, .stroke = SVG_NONE,
					 .opacity = BAND };

	if (!points->count)
		return;
	svg_path(b);
	for (size_t i = 0; i < points->count; i++) {
		double y = scale_at(points->up, points->y[i]);

		if (i)
			svg_line(b, place_x(points, i), y);
		else
			svg_move(b, place_x(points, i), y);
	}
	for (size_t i = points->count; i--;)
		svg_line(b, place_x(points, i),
			 scale_at(points->up, low[i]));
	svg_close(b);
	svg_path_end(b, &style);
}

static void put_cross(struct buf *b, double x, double y)
{
	svg_move(b, x - 2, y - 2);
	svg_line(b, x + 2, y + 2);
	svg_move(b, x - 2, y + 2);
	svg_line(b, x + 2, y - 2);
}

void svg_plot_crosses(struct buf *b, const struct svg_points *points,
		      int32_t color)
{
	const struct svg_style style = { .fill = SVG_NONE, .stroke = color };

	svg_path(b);
	for (size_t i = 0; i < points->count; i++)
		if (!isnan(points->y[i]))
			put_cross(b, place_x(points, i),
				  scale_at(points->up, points->y[i]));
	svg_path_end(b, &style);
}

/* --- legend --------------------------------------------------------------- */

static void swatch_square(struct buf *b, double x, double y, int32_t color)
{
	const struct svg_style style = { .fill = color, .stroke = SVG_NONE };

	svg_rect(b, x + 1, y - 6, LEGEND_SWATCH - 3, LEGEND_SWATCH - 3, &style);
}

static void swatch_band(struct buf *b, double x, double y, int32_t color)
{
	const struct svg_style style = { .fill = color, .stroke = SVG_NONE,
					 .opacity = BAND };

	svg_rect(b, x, y - 5, LEGEND_SWATCH, 10, &style);
}

static void put_stroke(struct buf *b, double x, double y, int32_t color,
		       const char *dashes)
{
	const struct svg_style style = { .fill = SVG_NONE, .stroke = color,
					 .stroke_width = 3, .dashes = dashes };

	svg_path(b);
	svg_across(b, x, sharp(y), LEGEND_SWATCH);
	svg_path_end(b, &style);
}

static void swatch_line(struct buf *b, double x, double y, int32_t color)
{
	put_stroke(b, x, y, color, NULL);
}

static void swatch_dashes(struct buf *b, double x, double y, int32_t color)
{
	put_stroke(b, x, y, color, DASHES);
}

static void swatch_cross(struct buf *b, double x, double y, int32_t color)
{
	const struct svg_style style = { .fill = SVG_NONE, .stroke = color };

	svg_path(b);
	put_cross(b, x + LEGEND_SWATCH / 2, y);
	svg_path_end(b, &style);
}

static void put_swatch(struct buf *b, double x, double y,
		       const struct svg_legend_entry *e)
{
	static void (*const draw[])(struct buf *b, double x, double y,
				    int32_t color) = {
		[SVG_SQUARE] = swatch_square,
		[SVG_LINE] = swatch_line,
		[SVG_DASHES] = swatch_dashes,
		[SVG_BAND] = swatch_band,
		[SVG_CROSS] = swatch_cross,
	};

	draw[e->swatch](b, x, y, e->color);
}

void svg_legend(struct buf *b, const struct svg_plot *p,
		const struct svg_legend_entry *entries, size_t count)
{
	const struct svg_font font = { .size = NUMBER_SIZE, .fill = SVG_INK };
	double x = p->left + p->width + p->legend, y = p->top;
	size_t shown = count > SVG_LEGEND_MAX ? SVG_LEGEND_MAX : count;

	for (size_t i = 0; i < shown; i++, y += LEGEND_LINE) {
		put_swatch(b, x, y, &entries[i]);
		svg_text(b, x + LEGEND_TEXT, y + 4.5, &font, entries[i].text);
	}
	if (count > shown) {
		char more[NUMBER_MAX];

		snprintf(more, sizeof(more), "%zu more", count - shown);
		svg_text(b, x + LEGEND_TEXT, y + 4.5, &font, more);
	}
}
