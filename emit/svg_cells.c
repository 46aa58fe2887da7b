/* SPDX-License-Identifier: GPL-2.0-only */
/* A picture of cells; see svg_cells.h. */
#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "emit/svg.h"
#include "emit/svg_cells.h"

struct path {
	struct buf *b;
	const struct svg_cells *c;
	bool begun;
};

/* A line goes through the middle of its cells. */
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
