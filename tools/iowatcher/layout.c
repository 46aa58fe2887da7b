/* SPDX-License-Identifier: GPL-2.0-only */
/* Where graphs are; see layout.h. */
#include <string.h>

#include "emit/signs.h"
#include "tools/iowatcher/fio_log.h"
#include "tools/iowatcher/graphs.h"
#include "tools/iowatcher/layout.h"
#include "tools/iowatcher/options.h"
#include "tools/iowatcher/sources.h"
#include "tools/iowatcher/traced.h"

/* 1.3.0's */
enum {
	TOP = 50,		/* above the first card: the page's title */
	EDGE = 15, GAP = 20,	/* beside a card; between and below cards */
	PAGE_EDGE = 60,		/* what a page is wider than a card */
	PLOT_LEFT = 122, PLOT_TOP = 60,
	AROUND_WIDTH = 182, AROUND_HEIGHT = 93,	/* a card beyond its plot */
	FOOT = 61,		/* the time below a graph */
	LETTER = 11, LEGEND = 25,	/* a legend's width: a letter; beside */
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
	return most ? most * LETTER + LEGEND : 0;
}

static unsigned int even(double px)
{
	return ((unsigned int)px + 1) & ~1u;
}

void layout_find(struct layout *l, const struct watch_options *o,
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

double layout_x(const struct layout *l, unsigned int graph)
{
	return graph % l->columns * (l->card_width + GAP);
}

double layout_y(const struct layout *l, unsigned int graph)
{
	double foot = l->columns > 1 ? FOOT : 0;

	return TOP + graph / l->columns * (l->card_height + foot + GAP);
}

bool layout_has_foot(const struct layout *l, unsigned int graph,
		     unsigned int graphs)
{
	return l->columns > 1 || graph + 1 == graphs;
}

double layout_card_height(const struct layout *l, bool foot)
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

unsigned int layout_ticks_up(unsigned int height)
{
	return ticks_of(height, 30, 5);
}

unsigned int layout_ticks_across(unsigned int width)
{
	return ticks_of(width, 70, 11);
}
