/* SPDX-License-Identifier: GPL-2.0-only */
/* What moves in an SVG; see svg_moving.h. */
#include <math.h>

#include "base/buf.h"
#include "emit/svg.h"
#include "emit/svg_moving.h"

static const double PI = 3.14159265358979323846;

/* Something must be there to be animated: a shape of no size, which moves from
 * where it is to where it is. */
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

/* An arc that differs less from a line is one: no eye sees it. */
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
