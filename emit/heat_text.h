/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A heat map as text: rows of shades, axes, and rows of marks below.
 */
#ifndef EMIT_HEAT_TEXT_H
#define EMIT_HEAT_TEXT_H

struct buf;			/* base/buf.h */
struct heat_map;		/* stat/heat.h */
struct look;			/* base/look.h */

/* the size that fits, to be passed to heat_map_make() */
unsigned int heat_text_columns(const struct look *l);
unsigned int heat_text_rows(const struct look *l);

/* writes a row's label, at most 6 columns, and the axis beside it */
void heat_text_label(struct buf *out, const struct look *l, const char *label);

/*
 * Writes a heading ("TITLE, a cell: " and the legend of the shades), the rows,
 * the axes and the marks.  Where the look's width is too small, the legend gets
 * another line, or the title is cut.
 */
void heat_text(struct buf *out, const struct look *l, const char *title,
	       const struct heat_map *m);

#endif
