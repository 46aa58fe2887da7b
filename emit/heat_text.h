/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A heat map as text: rows of shades, axes, and rows of marks below them.
 */
#ifndef EMIT_HEAT_TEXT_H
#define EMIT_HEAT_TEXT_H

struct buf;			/* base/buf.h */
struct heat_map;		/* stat/heat.h */
struct look;			/* base/look.h */

/* how large a map fits: to be asked of heat_map_make() */
unsigned int heat_text_columns(const struct look *l);
unsigned int heat_text_rows(const struct look *l);

/*
 * Writes a heading, "TITLE, a cell: " and the legend of the shades, the rows,
 * the axes and the marks.  The title is cut, or the legend goes to a line of
 * its own, when a line would be longer than the look's width.
 */
void heat_text(struct buf *out, const struct look *l, const char *title,
	       const struct heat_map *m);

#endif
