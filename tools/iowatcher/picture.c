/* SPDX-License-Identifier: GPL-2.0-only */
/* The file of the picture; see picture.h. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/msg.h"
#include "base/time.h"
#include "cli/outfile.h"
#include "emit/signs.h"
#include "emit/svg.h"
#include "emit/svg_plot.h"
#include "stat/scale.h"
#include "tools/iowatcher/about.h"
#include "tools/iowatcher/figure.h"
#include "tools/iowatcher/graphs.h"
#include "tools/iowatcher/options.h"
#include "tools/iowatcher/outputs.h"
#include "tools/iowatcher/plane.h"
#include "tools/iowatcher/program.h"
#include "tools/iowatcher/sources.h"
#include "tools/iowatcher/traced.h"

/* --- layout --------------------------------------------------------------- */

/* Places of graphs in px, as 1.3.0 has them, for pages that embed a picture by
 * its size. */
struct layout {
	unsigned int width, height;	/* of the page */
	unsigned int columns, rows;
	double card_x;		/* where a card begins in its column */
	double card_width, card_height;	/* without what is at the foot */
	struct svg_plot plot;	/* in a card's column */
};

/* 1.3.0's */
enum {
	TOP = 50,		/* above the first card: the page's title */
	EDGE = 15, GAP = 20,	/* beside a card; between and below cards */
	PAGE_EDGE = 60,		/* what a page is wider than a card */
	PLOT_LEFT = 122, PLOT_TOP = 60,
	AROUND_WIDTH = 182, AROUND_HEIGHT = 93,	/* a card beyond its plot */
	FOOT = 61,		/* the time below a graph */
	LEGEND_LETTER = 11, LEGEND = 25,	/* widths: of a letter; beside */
	DIRECTION = 7,		/* letters of " Writes" */
};

enum { LEGEND_X = 45, LEGEND_X_NARROW = 12, LEGEND_NARROW = 102 };

static unsigned int more(unsigned int a, unsigned int b)
{
	return a > b ? a : b;
}

/* letters of a trace's longest entry */
static unsigned int letters_of(const struct traced *t, bool directions,
			       bool per_process)
{
	unsigned int label = signs_width(t->label), most = label;

	if (directions)
		most = label + DIRECTION;
	for (unsigned int i = 0; directions && per_process &&
	     i < t->callers.name_count; i++)
		most = more(most, label + DIRECTION +
			    signs_width(t->callers.names[i]));
	return most;
}

/* 1.3.0: wide enough for the legends of Device IO and Throughput, if any of
 * them is drawn, else for the labels */
static unsigned int legend_width(const struct watch_options *o,
				 const struct sources *s)
{
	bool io = o->graphs & GRAPH_BIT(GRAPH_IO);
	bool directions = io || o->graphs & GRAPH_BIT(GRAPH_TPUT);
	unsigned int most = 0;

	for (size_t i = 0; i < s->trace_count; i++)
		most = more(most, letters_of(&s->traces[i], directions,
					     io && o->per_process));
	for (size_t i = 0; i < s->log_count; i++)
		most = more(most, signs_width(s->logs[i].label) +
			    (directions ? DIRECTION : 0));
	return most ? most * LEGEND_LETTER + LEGEND : 0;
}

static unsigned int even(double px)
{
	return ((unsigned int)px + 1) & ~1u;
}

/* start of a graph's column, and top of its card */
static double layout_x(const struct layout *l, unsigned int graph)
{
	return graph % l->columns * (l->card_width + GAP);
}

/* for count graphs, at least one */
static void layout_find(struct layout *l, const struct watch_options *o,
			unsigned int graphs, const struct sources *s)
{
	unsigned int legend = legend_width(o, s);
	double feet;

	*l = (struct layout){ .card_x = EDGE };
	l->columns = o->columns < graphs ? o->columns : graphs;
	l->rows = (graphs + l->columns - 1) / l->columns;
	l->card_width = o->width + AROUND_WIDTH + legend;
	l->card_height = o->height + AROUND_HEIGHT;
	l->plot = (struct svg_plot){ PLOT_LEFT, PLOT_TOP, o->width, o->height,
				     legend < LEGEND_NARROW ?
				     LEGEND_X_NARROW : LEGEND_X };
	l->width = even(layout_x(l, l->columns - 1) + l->card_width +
			PAGE_EDGE);
	feet = (l->columns > 1 ? l->rows : 1) * FOOT;
	l->height = even(TOP + l->rows * (l->card_height + GAP) + feet);
}

static double layout_y(const struct layout *l, unsigned int graph)
{
	double foot = l->columns > 1 ? FOOT : 0;

	return TOP + graph / l->columns * (l->card_height + foot + GAP);
}

/* whether the time is written below a graph: the last of its column, or with
 * several columns each */
static bool layout_has_foot(const struct layout *l, unsigned int graph,
			    unsigned int graphs)
{
	return l->columns > 1 || graph + 1 == graphs;
}

static double layout_card_height(const struct layout *l, bool foot)
{
	return l->card_height + (foot ? FOOT : 0);
}

/* at least two, at most so many */
static unsigned int ticks_of(unsigned int px, unsigned int apart,
			     unsigned int most)
{
	unsigned int n = px / apart + 1;

	if (n < 2)
		return 2;
	return n < most ? n : most;
}

unsigned int picture_ticks_up(unsigned int height)
{
	return ticks_of(height, 30, 5);
}

static unsigned int layout_ticks_across(unsigned int width)
{
	return ticks_of(width, 70, 11);
}

/* --- page ----------------------------------------------------------------- */

/* The picture: all graphs of all traces as one SVG document. */

enum {
	BACKGROUND = 0xf4f6f8, CARD = 0xffffff, WARNING = 0xb3261e,
	TITLE_SIZE = 24, TITLE_FOOT = 32,
	SMALL_SIZE = 11, SMALL_FOOT = 46, SMALL_LINE = 11,
	ALONE_SIZE = 15,	/* of what a picture is of, without a title */
	LETTER = 7,		/* px of a small one, about */
	DESCRIPTION = 512,
};

static const double LINE = 1.6, THIN = 1;

struct page {
	struct buf *b;
	const struct watch_options *o;
	const struct sources *s;
	struct time_frame frame;
	struct layout layout;
	struct scale time;	/* seconds */
	unsigned int graphs;	/* GRAPH_BIT()s of those that are drawn */
	unsigned int count;	/* of them */
};

/* --- the head ------------------------------------------------------------- */

static void describe(const struct page *p, char text[DESCRIPTION])
{
	size_t at = 0;

	for (unsigned int i = 0; i < GRAPHS; i++)
		if (p->graphs & GRAPH_BIT(i))
			at += (size_t)snprintf(text + at, DESCRIPTION - at,
					       "%s%s", at ? ", " : "",
					       graph_title((enum graph_kind)i));
	snprintf(text + at, DESCRIPTION - at, " over %.6g s",
		 (double)(p->frame.to - p->frame.from) /
		 (double)NS_PER_SECOND);
}

static void put_line(const struct page *p, double foot,
		     const struct svg_font *font, const char *text)
{
	const struct svg_plot *plot = &p->layout.plot;

	if (*text)
		svg_text(p->b, plot->left + plot->width / 2, foot, font, text);
}

/* Lines above the first card, from the lowest up: what is missing, what the
 * picture is of, its title. */
static void draw_lines(const struct page *p, const char *about)
{
	const struct svg_font title = { .anchor = SVG_MIDDLE, .bold = true,
					.size = TITLE_SIZE, .fill = SVG_INK };
	const struct svg_font small = { .anchor = SVG_MIDDLE,
					.size = SMALL_SIZE, .fill = SVG_GREY };
	const struct svg_font alone = { .anchor = SVG_MIDDLE, .bold = true,
					.size = ALONE_SIZE, .fill = SVG_INK };
	const struct svg_font warning = { .anchor = SVG_MIDDLE,
					  .size = SMALL_SIZE, .fill = WARNING };
	uint64_t missing = sources_missing(p->s);
	unsigned int up = missing ? SMALL_LINE : 0;
	char text[DESCRIPTION] = "";

	if (missing)
		snprintf(text, sizeof(text), "%llu records lost: counts and"
			 " rates are at least these",
			 (unsigned long long)missing);
	put_line(p, SMALL_FOOT, &warning, text);
	if (*p->o->title) {
		put_line(p, SMALL_FOOT - up, &small, about);
		put_line(p, TITLE_FOOT - up, &title, p->o->title);
	} else {
		put_line(p, TITLE_FOOT - up / 3, &alone, about);
	}
}

static void draw_head(const struct page *p)
{
	const struct svg_style background = { .fill = BACKGROUND,
					      .stroke = SVG_NONE };
	const struct layout *l = &p->layout;
	char text[DESCRIPTION], about[ABOUT_MAX];

	describe(p, text);
	about_text(about, p->s, &p->frame,
		   ((unsigned int)l->plot.width + PAGE_EDGE) / LETTER);
	svg_begin(p->b, l->width, l->height,
		  *p->o->title ? p->o->title : about, text);
	svg_rect(p->b, 0, 0, l->width, l->height, &background);
	draw_lines(p, about);
}

/* --- Device IO ------------------------------------------------------------ */

/* What a band is called stands above its line, on a ground of its own, as there
 * may be cells. */
static void draw_name(const struct page *p, const char *name, double y)
{
	const struct svg_plot *plot = &p->layout.plot;
	const struct svg_font font = { .size = SMALL_SIZE, .fill = SVG_INK,
				       .anchor = SVG_END };
	const struct svg_style ground = { .fill = CARD, .stroke = SVG_NONE,
					  .opacity = 0.8 };
	double right = plot->left + plot->width;
	double width = LETTER * signs_width(name) + 6;

	svg_rect(p->b, right - width, y - SMALL_SIZE - 3, width,
		 SMALL_SIZE + 2, &ground);
	svg_text(p->b, right - 3, y - 4, &font, name);
}

/* Where a device ends another begins: a line, and what it is called. */
static void draw_bands(const struct page *p, const struct plane *plane)
{
	const struct svg_plot *plot = &p->layout.plot;
	const struct svg_style border = { .fill = SVG_NONE,
					  .stroke = COLOR_BORDER };

	for (size_t i = 0; i < plane->band_count; i++) {
		const struct plane_band *band = &plane->bands[i];
		double y = scale_at(&plane->axis, band->sectors / 2048);

		svg_path(p->b);
		svg_across(p->b, plot->left, y, plot->width);
		svg_path_end(p->b, &border);
		draw_name(p, band->name, y);
	}
}

static void draw_plane(const struct page *p, bool foot)
{
	const struct svg_plot *plot = &p->layout.plot;
	struct plane plane;
	struct svg_cells cells;

	plane_make(&plane, p->o, &p->frame, picture_ticks_up(p->o->height),
		   p->s->traces, p->s->trace_count);
	scale_place(&plane.axis, plot->top + plot->height, plot->top);
	cells = (struct svg_cells){ plot->left, plot->top, PLANE_CELL,
				    plane.columns, plane.rows, plane.cells };
	svg_plot_titles(p->b, plot, graph_title(GRAPH_IO), "Offset (MiB)");
	svg_plot_rows(p->b, plot, &plane.axis);
	svg_plot_columns(p->b, plot, &p->time, foot ? "Time (seconds)" : NULL);
	svg_cells(p->b, &cells, plane.styles, plane.style_count);
	draw_bands(p, &plane);
	svg_legend(p->b, plot, plane.legend, plane.legend_count);
	plane_free(&plane);
}

/* --- lines ---------------------------------------------------------------- */

static void draw_curve(const struct page *p, const struct curve *c,
		       const struct scale *up)
{
	const struct svg_points points = { c->x, c->y, c->count, &p->time,
					   up };

	if (c->swatch == SVG_BAND)
		svg_plot_band(p->b, &points, c->low, c->color);
	else if (c->swatch == SVG_CROSS)
		svg_plot_crosses(p->b, &points, c->color);
	else if (c->swatch == SVG_DASHES)
		svg_plot_line(p->b, &points, c->color, THIN, "4 3");
	else
		svg_plot_line(p->b, &points, c->color, LINE, NULL);
}

static void draw_legend(const struct page *p, const struct figure *f)
{
	struct svg_legend_entry *entries = calloc(f->count + 1,
						  sizeof(*entries));

	if (!entries)
		msg_die("out of memory");
	for (size_t i = 0; i < f->count; i++) {
		const struct curve *c = &f->curves[i];

		entries[i] = (struct svg_legend_entry){ c->swatch, c->color,
							c->label };
	}
	svg_legend(p->b, &p->layout.plot, entries, f->count);
	free(entries);
}

/* the figure's numbers as the unit has them */
static void divide(struct figure *f, double by)
{
	for (size_t i = 0; i < f->count; i++) {
		struct curve *c = &f->curves[i];

		for (size_t k = 0; k < c->count; k++) {
			c->y[k] /= by;
			if (c->low)
				c->low[k] /= by;
		}
	}
}

static void draw_figure(const struct page *p, enum graph_kind kind, bool foot)
{
	const struct svg_plot *plot = &p->layout.plot;
	struct figure f;
	struct scale up;
	struct unit_choice unit;

	figure_make(&f, kind, p->o, &p->frame, p->s);
	unit = units_choose(kind, figure_most(&f));
	divide(&f, unit.size);
	scale_set_up_to(&up, figure_most(&f), picture_ticks_up(p->o->height));
	scale_place(&up, plot->top + plot->height, plot->top);
	svg_plot_titles(p->b, plot, graph_title(kind), unit.text);
	svg_plot_rows(p->b, plot, &up);
	svg_plot_columns(p->b, plot, &p->time, foot ? "Time (seconds)" : NULL);
	for (size_t i = f.count; i--;)
		draw_curve(p, &f.curves[i], &up);
	draw_legend(p, &f);
	figure_free(&f);
}

/* --- the page ------------------------------------------------------------- */

static void draw_graph(const struct page *p, enum graph_kind kind,
		       unsigned int nr)
{
	const struct layout *l = &p->layout;
	bool foot = layout_has_foot(l, nr, p->count);

	svg_group(p->b, layout_x(l, nr), layout_y(l, nr));
	svg_card(p->b, l->card_x, l->card_width, layout_card_height(l, foot));
	if (kind == GRAPH_IO)
		draw_plane(p, foot);
	else
		draw_figure(p, kind, foot);
	svg_group_end(p->b);
}

static void set_time(struct page *p)
{
	const struct svg_plot *plot = &p->layout.plot;

	scale_set(&p->time, (double)p->frame.from / (double)NS_PER_SECOND,
		  (double)p->frame.to / (double)NS_PER_SECOND,
		  layout_ticks_across(p->o->width));
	scale_place(&p->time, plot->left, plot->left + plot->width);
}

/* Without memory the program ends. */
static void page_draw(struct buf *b, const struct watch_options *o,
		      const struct sources *s)
{
	struct page p = { .b = b, .o = o, .s = s,
			  .graphs = sources_graphs(s, o) };
	unsigned int nr = 0;

	p.count = (unsigned int)__builtin_popcount(p.graphs);
	time_frame_find(&p.frame, o, s);
	layout_find(&p.layout, o, p.count, s);
	set_time(&p);
	draw_head(&p);
	for (unsigned int i = 0; i < GRAPHS; i++)
		if (p.graphs & GRAPH_BIT(i))
			draw_graph(&p, (enum graph_kind)i, nr++);
	svg_end(b);
}

/* --- picture -------------------------------------------------------------- */

enum { OUT_SIZE = 65536 };

static void draw(struct buf *b, const struct watch_options *o,
		 const struct sources *s)
{
	if (o->movie)
		movie_svg_draw(b, o, s);
	else
		page_draw(b, o, s);
}

/* --- by another program --------------------------------------------------- */

/* The drawing goes into a pipe; that its reader has gone is the program's to
 * explain. */
static int draw_to(int fd, const struct watch_options *o,
		   const struct sources *s)
{
	struct buf b;
	int err;

	if (buf_init(&b, fd, OUT_SIZE))
		return -ENOMEM;
	draw(&b, o, s);
	err = buf_flush(&b);
	buf_free(&b);
	return err == -EPIPE ? 0 : err;
}

static bool feed(struct program *p, int fd, const struct watch_options *o,
		 const struct sources *s)
{
	void (*old)(int) = signal(SIGPIPE, SIG_IGN);
	int err = draw_to(fd, o, s);

	signal(SIGPIPE, old);
	close(fd);
	if (program_wait(p)) {
		msg_warn("%s failed with status %d", p->name, p->status);
		return false;
	}
	if (!err)
		return true;
	errno = -err;
	msg_warn("cannot write to %s:", p->name);
	return false;
}

static bool convert(int out, const struct watch_options *o,
		    const struct sources *s)
{
	static const char *const words[] = { "rsvg-convert", "--unlimited",
					     NULL };
	struct program p;
	int ends[2];
	int err;

	if (pipe2(ends, O_CLOEXEC)) {
		msg_warn("cannot make a pipe:");
		return false;
	}
	err = program_start_piped(&p, (char *const *)words, ends[0], out);
	close(ends[0]);
	if (!err)
		return feed(&p, ends[1], o, s);
	if (err == -ENOENT)
		msg_warn("PNG needs rsvg-convert (Debian: librsvg2-bin)");
	close(ends[1]);
	return false;
}

static int write_png(const struct watch_options *o, const struct sources *s)
{
	struct outfile f;

	if (!own_file_open(&f, &o->opener, o->output))
		return 1;
	if (convert(f.buf.fd, o, s) && !*o->stop)
		return !outfile_close(&f);
	outfile_discard(&f);
	return 1;
}

static int write_svg(const struct watch_options *o, const struct sources *s)
{
	struct outfile f;

	if (!own_file_open(&f, &o->opener, o->output))
		return 1;
	draw(&f.buf, o, s);
	outfile_flush(&f, "");
	if (!*o->stop)
		return !outfile_close(&f);
	outfile_discard(&f);
	return 1;
}

/* whether the picture is a video */
static bool is_video(const struct watch_options *o)
{
	return o->movie && !ends_in(o->output, ".svg");
}

bool picture_needs_program(const struct watch_options *o)
{
	if (is_video(o))
		return video_is_encoded(o);
	return ends_in(o->output, ".png");
}

int picture_write(const struct watch_options *o, const struct sources *s)
{
	if (is_video(o))
		return video_write(o, s);
	if (ends_in(o->output, ".png"))
		return write_png(o, s);
	return write_svg(o, s);
}
