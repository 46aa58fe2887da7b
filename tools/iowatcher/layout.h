/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where the graphs of a page are, in px: as 1.3.0 has them, for pages that
 * embed a picture by its size.
 */
#ifndef TOOLS_IOWATCHER_LAYOUT_H
#define TOOLS_IOWATCHER_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>

#include "emit/svg_plot.h"

struct sources;			/* tools/iowatcher/sources.h */
struct watch_options;		/* tools/iowatcher/options.h */

struct layout {
	unsigned int width, height;	/* of the page */
	unsigned int columns, rows;
	double card_x;		/* where a card begins in its column */
	double card_width, card_height;	/* without what is at the foot */
	struct svg_plot plot;	/* in a card's column */
};

/* for so many graphs, at least one */
void layout_find(struct layout *l, const struct watch_options *o,
		 unsigned int graphs, const struct sources *s);

/* where a graph's column begins, and its card's top */
double layout_x(const struct layout *l, unsigned int graph);
double layout_y(const struct layout *l, unsigned int graph);

/* whether the time is written below a graph of so many: it is the last of its
 * column, or there are several columns */
bool layout_has_foot(const struct layout *l, unsigned int graph,
		     unsigned int graphs);

/* how high its card is */
double layout_card_height(const struct layout *l, bool foot);

/* ticks that an axis of so many px has at most */
unsigned int layout_ticks_up(unsigned int height);
unsigned int layout_ticks_across(unsigned int width);

#endif
