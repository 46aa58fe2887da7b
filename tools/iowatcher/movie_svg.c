/* SPDX-License-Identifier: GPL-2.0-only */
/* The movie as an animated SVG; see outputs.h. */
#include <stdbool.h>
#include <stdio.h>

#include "base/buf.h"
#include "base/time.h"
#include "emit/svg.h"
#include "emit/svg_plot.h"
#include "stat/rates.h"
#include "tools/iowatcher/about.h"
#include "tools/iowatcher/movie.h"
#include "tools/iowatcher/options.h"
#include "tools/iowatcher/outputs.h"
#include "tools/iowatcher/sources.h"

enum {
	BACKGROUND = 0xf4f6f8, CARD = 0xffffff, EDGE = 0xdfe4ea,
	CURSOR = 0xc2264b, WARNING = 0xb3261e, TEXT_MAX = 160,
	/* of what it is of: up to the map, or to what is above it */
	ABOUT_NARROW = 60, ABOUT_WIDE = 110,
};

static const struct svg_style card_style = { .fill = CARD, .stroke = EDGE };

static void draw_head(struct buf *b, const struct watch_options *o,
		      const struct time_frame *frame, const struct sources *s)
{
	const struct svg_style background = { .fill = BACKGROUND,
					      .stroke = SVG_NONE };
	const struct svg_font title = { .size = 20, .bold = true,
					.fill = SVG_INK };
	const struct svg_font small = { .size = *o->title ? 11 : 13,
					.fill = SVG_GREY };
	char text[TEXT_MAX], about[ABOUT_MAX];

	about_text(about, s, frame, *o->title ? ABOUT_NARROW : ABOUT_WIDE);
	snprintf(text, sizeof(text), "Block I/O, %.6g s in %g s",
		 (double)(frame->to - frame->from) / (double)NS_PER_SECOND,
		 MOVIE_SECONDS);
	svg_begin(b, MOVIE_WIDTH, MOVIE_HEIGHT, *o->title ? o->title : about,
		  text);
	svg_loop(b, MOVIE_SECONDS);
	svg_rect(b, 0, 0, MOVIE_WIDTH, MOVIE_HEIGHT, &background);
	if (*o->title)
		svg_text(b, CARD_X, 24, &title, o->title);
	if (*about)
		svg_text(b, CARD_X, *o->title ? 41 : 32, &small, about);
}

/* --- graphs --------------------------------------------------------------- */

static void draw_lines(struct buf *b, const struct movie_card *c)
{
	for (size_t i = c->figure.count; i--;) {
		const struct curve *curve = &c->figure.curves[i];
		const struct svg_points points = {
			curve->x, curve->y, curve->count, &c->across, &c->up
		};

		if (curve->swatch == SVG_LINE)
			svg_plot_line(b, &points, curve->color, 1.3, NULL);
		else if (curve->swatch == SVG_BAND)
			svg_plot_band(b, &points, curve->low, curve->color);
	}
}

static void draw_card(struct buf *b, const struct movie_card *c)
{
	const struct svg_font title = { .size = 14, .bold = true,
					.fill = SVG_INK };
	const struct svg_font most = { .size = 12, .anchor = SVG_END,
				       .fill = SVG_GREY };
	const struct svg_cursor cursor = { CARD_X, c->y, CARD_HEIGHT,
					   CARD_WIDTH, CURSOR };
	char text[TEXT_MAX];

	svg_text(b, CARD_X, c->y - 8, &title, graph_title(c->figure.kind));
	snprintf(text, sizeof(text), "max %.4g %s", c->most, c->unit.text);
	svg_text(b, CARD_X + CARD_WIDTH, c->y - 8, &most, text);
	svg_rect(b, CARD_X, c->y, CARD_WIDTH, CARD_HEIGHT, &card_style);
	draw_lines(b, c);
	svg_cursor(b, &cursor, MOVIE_SECONDS);
}

/* what the ends of the graphs are */
static void draw_times(struct buf *b, const struct movie_card *last)
{
	const struct svg_font from = { .size = 12, .fill = SVG_GREY };
	const struct svg_font to = { .size = 12, .anchor = SVG_END,
				     .fill = SVG_GREY };
	double foot = last->y + CARD_HEIGHT + 14;
	char text[TEXT_MAX];

	snprintf(text, sizeof(text), "%.6g s", last->across.low);
	svg_text(b, CARD_X, foot, &from, text);
	snprintf(text, sizeof(text), "%.6g s", last->across.high);
	svg_text(b, CARD_X + CARD_WIDTH, foot, &to, text);
}

static void draw_legend(struct buf *b, const struct movie *m)
{
	static const char *const words[RATE_CLASSES] = { "Reads", "Writes",
							 "Others" };
	const struct svg_font font = { .size = 12, .fill = SVG_INK };
	bool any[RATE_CLASSES] = { false };
	double x = CARD_X;

	for (size_t i = 0; i < m->count; i++)
		any[m->runs[i].class] = true;
	for (unsigned int i = 0; i < RATE_CLASSES; i++) {
		const struct svg_style style = { .fill = movie_color(i),
						 .stroke = SVG_NONE };

		if (!any[i])
			continue;
		svg_rect(b, x, MOVIE_HEIGHT - 19, 11, 11, &style);
		svg_text(b, x + 17, MOVIE_HEIGHT - 9, &font, words[i]);
		x += 90;
	}
}

/* what is known to be missing, and where the device begins and ends */
static void draw_notes(struct buf *b, const struct movie *m,
		       const struct sources *s)
{
	const struct svg_font below = { .size = 12, .fill = SVG_GREY };
	const struct svg_font above = { .size = 12, .anchor = SVG_END,
					.fill = WARNING };
	const double mib = 2048;
	uint64_t missing = sources_missing(s);
	char text[TEXT_MAX];

	if (missing) {
		snprintf(text, sizeof(text), "%llu records lost",
			 (unsigned long long)missing);
		svg_text(b, MAP_X + MAP_WIDTH + 8, 32, &above, text);
	}
	if (!m->count)
		return;
	snprintf(text, sizeof(text), "%.6g MiB %s, to %.6g MiB%s",
		 m->range.low / mib, m->map.style == MOVIE_SPINDLE ?
		 "at the edge, from the top" : "in the upper left corner",
		 m->range.high / mib,
		 m->range.stacked ? "; devices one after the other" : "");
	svg_text(b, MAP_X - 8, MOVIE_HEIGHT - 9, &below, text);
}

/* --- the device ----------------------------------------------------------- */

static void draw_area(struct buf *b, enum movie_style style)
{
	const struct svg_hand hand = { MAP_MIDDLE_X, MAP_MIDDLE_Y,
				       MAP_HUB - 6, CURSOR };

	svg_rect(b, MAP_X - 8, MAP_Y - 8, MAP_WIDTH + 16, MAP_HEIGHT + 16,
		 &card_style);
	if (style == MOVIE_SPINDLE)
		svg_hand(b, &hand, MOVIE_SECONDS / MOVIE_TURNS);
}

/* all of a direction and frame is one path */
static size_t draw_frame(struct buf *b, const struct movie *m, size_t i)
{
	const struct movie_run *first = &m->runs[i];

	svg_path(b);
	for (; i < m->count && m->runs[i].class == first->class &&
	     m->runs[i].frame == first->frame; i++)
		movie_map_draw(&m->map, b, m->runs[i].from, m->runs[i].to);
	svg_path_flash(b, (double)first->frame / MOVIE_RATE,
		       (double)MOVIE_FADE / MOVIE_RATE);
	return i;
}

static void draw_runs(struct buf *b, const struct movie *m)
{
	size_t i = 0;

	while (i < m->count) {
		unsigned int class = m->runs[i].class;

		svg_strokes(b, movie_color(class), m->map.cell);
		while (i < m->count && m->runs[i].class == class)
			i = draw_frame(b, m, i);
		svg_group_end(b);
	}
}

void movie_svg_draw(struct buf *b, const struct watch_options *o,
		    const struct sources *s)
{
	struct movie_card cards[MOVIE_CARDS];
	struct time_frame frame;
	struct movie movie;

	time_frame_find(&frame, o, s);
	movie_make(&movie, o->movie_style, o, &frame, s);
	movie_cards_make(cards, o, &frame, s);
	draw_head(b, o, &frame, s);
	for (int i = 0; i < MOVIE_CARDS; i++)
		draw_card(b, &cards[i]);
	draw_times(b, &cards[MOVIE_CARDS - 1]);
	draw_legend(b, &movie);
	draw_notes(b, &movie, s);
	draw_area(b, o->movie_style);
	draw_runs(b, &movie);
	svg_end(b);
	movie_cards_free(cards);
	movie_free(&movie);
}
