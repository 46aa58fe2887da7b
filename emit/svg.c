/* SPDX-License-Identifier: GPL-2.0-only */
/* Parts of an SVG document; see svg.h. */
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/buf.h"
#include "base/escape.h"
#include "base/num.h"
#include "emit/svg.h"

/* --- svg cells ------------------------------------------------------------ */

struct path {
	struct buf *b;
	const struct svg_cells *c;
	bool begun;
};

/* A line runs through the middle of its cells. */
static void put_run(struct path *p, unsigned int row, unsigned int from,
		    unsigned int to)
{
	const struct svg_cells *c = p->c;

	if (!p->begun)
		svg_path(p->b);
	p->begun = true;
	svg_across(p->b, c->x + (double)c->size * from,
		   c->y + (double)c->size * (row + 0.5),
		   (double)c->size * (to - from));
}

static void put_row(struct path *p, unsigned int row, unsigned int style)
{
	const uint16_t *cells = p->c->cells + (size_t)row * p->c->columns;
	unsigned int columns = p->c->columns, at = 0;

	while (at < columns) {
		unsigned int from = at;

		while (at < columns && cells[at] == style)
			at++;
		if (at > from)
			put_run(p, row, from, at);
		else
			at++;
	}
}

void svg_cells(struct buf *b, const struct svg_cells *c,
	       const struct svg_cell_style *styles, unsigned int count)
{
	for (unsigned int i = 1; i <= count; i++) {
		const struct svg_style style = {
			.fill = SVG_NONE,
			.stroke = styles[i - 1].color,
			.stroke_width = c->size,
			.opacity = styles[i - 1].opacity,
		};
		struct path p = { .b = b, .c = c };

		for (unsigned int row = 0; row < c->rows; row++)
			put_row(&p, row, i);
		if (p.begun)
			svg_path_end(b, &style);
	}
}

/* --- svg moving ----------------------------------------------------------- */

static const double PI = 3.14159265358979323846;

/* The animation needs a shape: one without size, which does not move. */
void svg_loop(struct buf *b, double seconds)
{
	buf_printf(b, "<rect width=\"0\" height=\"0\"><animate id=\"l\""
		   " attributeName=\"x\" from=\"0\" to=\"0\""
		   " begin=\"0s;l.end\" dur=\"%.2fs\"/></rect>\n", seconds);
}

void svg_path_flash(struct buf *b, double at, double seconds)
{
	buf_printf(b, "\" opacity=\"0\"><animate attributeName=\"opacity\""
		   " values=\"1;.85;0\" begin=\"l.begin+%.2fs\""
		   " dur=\"%.2fs\"/></path>\n", at, seconds);
}

void svg_strokes(struct buf *b, int32_t color, double width)
{
	buf_printf(b, "<g fill=\"none\" stroke=\"#%06x\""
		   " stroke-width=\"%.4g\">\n", (unsigned int)color, width);
}

void svg_cursor(struct buf *b, const struct svg_cursor *c, double seconds)
{
	svg_path(b);
	svg_move(b, c->x, c->y);
	svg_line(b, c->x, c->y + c->height);
	buf_printf(b, "\" stroke=\"#%06x\"><animateTransform"
		   " attributeName=\"transform\" type=\"translate\""
		   " from=\"0 0\" to=\"%.4g 0\" begin=\"l.begin\""
		   " dur=\"%.2fs\"/></path>\n", (unsigned int)c->color,
		   c->distance, seconds);
}

void svg_hand(struct buf *b, const struct svg_hand *h, double seconds)
{
	svg_path(b);
	svg_move(b, h->x, h->y);
	svg_line(b, h->x, h->y - h->length);
	buf_printf(b, "\" stroke=\"#%06x\"><animateTransform"
		   " attributeName=\"transform\" type=\"rotate\""
		   " from=\"0 %.5g %.5g\" to=\"360 %.5g %.5g\""
		   " begin=\"l.begin\" dur=\"%.2fs\""
		   " repeatCount=\"indefinite\"/></path>\n",
		   (unsigned int)h->color, h->x, h->y, h->x, h->y, seconds);
}

/* Arcs that differ less from a line are drawn as lines. */
static const double FLAT = 0.2;

void svg_arc(struct buf *b, const struct svg_arc *a)
{
	double turn = a->to - a->from;
	double x = a->x + a->radius * sin(a->to);
	double y = a->y - a->radius * cos(a->to);

	svg_move(b, a->x + a->radius * sin(a->from),
		 a->y - a->radius * cos(a->from));
	if (a->radius * (1 - cos(turn / 2)) < FLAT)
		svg_line(b, x, y);
	else
		buf_printf(b, "A%.4g %.4g 0 %d 1 %.4g %.4g", a->radius,
			   a->radius, turn > PI, x, y);
}

/* --- svg ------------------------------------------------------------------ */

/* U+FFFD */
static const char replacement[] = "\xef\xbf\xbd";

static void put(struct buf *b, const char *text)
{
	buf_append(b, text, strlen(text));
}

/* --- numbers -------------------------------------------------------------- */

/* NaN and coordinates too far away are invisible */
static double within(double v)
{
	const double far = 100000;

	if (!(v > -far))
		return -far;
	return v < far ? v : far;
}

/* With one decimal, unless it is 0. */
static void put_number(struct buf *b, double v)
{
	int64_t tenths = (int64_t)lround(within(v) * 10);
	char *to = buf_room(b, NUM_DECIMAL_MAX + NUM_SLACK + 3);

	if (!to)
		return;
	if (tenths < 0)
		*to++ = '-';
	tenths = tenths < 0 ? -tenths : tenths;
	to = num_u64(to, (uint64_t)tenths / 10);
	if (tenths % 10) {
		*to++ = '.';
		*to++ = (char)('0' + tenths % 10);
	}
	buf_commit(b, to);
}

/* a blank and NAME="V" */
static void put_attribute(struct buf *b, const char *name, double v)
{
	put(b, " ");
	put(b, name);
	put(b, "=\"");
	put_number(b, v);
	put(b, "\"");
}

static void put_color(struct buf *b, const char *name, int32_t color)
{
	if (color == SVG_NONE)
		buf_printf(b, " %s=\"none\"", name);
	else
		buf_printf(b, " %s=\"#%06x\"", name, (unsigned int)color);
}

static void put_style(struct buf *b, const struct svg_style *s)
{
	put_color(b, "fill", s->fill);
	if (s->stroke != SVG_NONE)
		put_color(b, "stroke", s->stroke);
	if (s->stroke_width > 0)
		put_attribute(b, "stroke-width", s->stroke_width);
	if (s->opacity > 0)
		buf_printf(b, " opacity=\"%.2g\"", s->opacity);
	if (s->dashes)
		buf_printf(b, " stroke-dasharray=\"%s\"", s->dashes);
	if (s->round)
		put(b, " stroke-linejoin=\"round\" stroke-linecap=\"round\"");
}

/* --- the document --------------------------------------------------------- */

void svg_begin(struct buf *b, unsigned int width, unsigned int height,
	       const char *title, const char *description)
{
	buf_printf(b, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%u\""
		   " height=\"%u\" viewBox=\"0 0 %u %u\""
		   " font-family=\"sans-serif\" role=\"img\">\n<title>",
		   width, height, width, height);
	svg_escape(b, title);
	put(b, "</title>\n<desc>");
	svg_escape(b, description);
	put(b, "</desc>\n");
}

void svg_end(struct buf *b)
{
	put(b, "</svg>\n");
}

void svg_group(struct buf *b, double x, double y)
{
	put(b, "<g transform=\"translate(");
	put_number(b, x);
	put(b, " ");
	put_number(b, y);
	put(b, ")\">\n");
}

void svg_group_end(struct buf *b)
{
	put(b, "</g>\n");
}

void svg_rect(struct buf *b, double x, double y, double width, double height,
	      const struct svg_style *style)
{
	put(b, "<rect");
	put_attribute(b, "x", x);
	put_attribute(b, "y", y);
	put_attribute(b, "width", width);
	put_attribute(b, "height", height);
	put_style(b, style);
	put(b, "/>\n");
}

/* --- text ----------------------------------------------------------------- */

/* of markup, and of U+FFFE and U+FFFF, which XML forbids; else NULL */
static const char *escape_of(const char *c)
{
	switch (*c) {
	case '&': return "&amp;";
	case '<': return "&lt;";
	case '>': return "&gt;";
	case '"': return "&quot;";
	case '\xef': return memcmp(c, "\xef\xbf\xbe", 3) &&
			   memcmp(c, "\xef\xbf\xbf", 3) ? NULL : replacement;
	default: return NULL;
	}
}

void svg_escape(struct buf *b, const char *text)
{
	clean_text(b, text, strlen(text), escape_of);
}

static void put_place(struct buf *b, double x, double y, bool upwards)
{
	if (!upwards) {
		put_attribute(b, "x", x);
		put_attribute(b, "y", y);
		return;
	}
	put(b, " transform=\"translate(");
	put_number(b, x);
	put(b, " ");
	put_number(b, y);
	put(b, ") rotate(-90)\"");
}

void svg_text(struct buf *b, double x, double y, const struct svg_font *font,
	      const char *text)
{
	static const char *const anchors[] = {
		[SVG_START] = "",
		[SVG_MIDDLE] = " text-anchor=\"middle\"",
		[SVG_END] = " text-anchor=\"end\"",
	};

	put(b, "<text");
	put_place(b, x, y, font->upwards);
	put(b, anchors[font->anchor]);
	buf_printf(b, " font-size=\"%u\"", font->size);
	if (font->bold)
		put(b, " font-weight=\"bold\"");
	put_color(b, "fill", font->fill);
	put(b, ">");
	svg_escape(b, text);
	put(b, "</text>\n");
}

/* --- paths ---------------------------------------------------------------- */

void svg_path(struct buf *b)
{
	put(b, "<path d=\"");
}

static void put_point(struct buf *b, const char *command, double x, double y)
{
	put(b, command);
	put_number(b, x);
	put(b, " ");
	put_number(b, y);
}

void svg_move(struct buf *b, double x, double y)
{
	put_point(b, "M", x, y);
}

void svg_line(struct buf *b, double x, double y)
{
	put_point(b, "L", x, y);
}

void svg_across(struct buf *b, double x, double y, double length)
{
	svg_move(b, x, y);
	put(b, "h");
	put_number(b, length);
}

void svg_close(struct buf *b)
{
	put(b, "z");
}

void svg_path_end(struct buf *b, const struct svg_style *style)
{
	put(b, "\"");
	put_style(b, style);
	put(b, "/>\n");
}
