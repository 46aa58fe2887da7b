/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A picture of equal cells in SVG: what lies side by side in one colour is one
 * line, and all lines of a colour are one path, so that its size is bounded by
 * the picture's.
 */
#ifndef EMIT_SVG_CELLS_H
#define EMIT_SVG_CELLS_H

#include <stdint.h>

struct buf;			/* base/buf.h */

struct svg_cells {
	double x, y;		/* of the upper left corner, in px */
	unsigned int size;	/* of a cell, in px: a whole number */
	unsigned int columns, rows;
	/* a style of each cell, row by row from the top; 0: it is empty */
	const uint16_t *cells;
};

struct svg_cell_style {
	int32_t color;		/* 0xRRGGBB */
	double opacity;		/* above 0, up to 1 */
};

/* styles are numbered from 1; a cell with a greater number is empty */
void svg_cells(struct buf *b, const struct svg_cells *c,
	       const struct svg_cell_style *styles, unsigned int count);

#endif
