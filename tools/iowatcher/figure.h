/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The lines of a graph as numbers over time, of all traces: rates, latency,
 * depth.  Nothing here knows how it is drawn but by which sign and colour.
 */
#ifndef TOOLS_IOWATCHER_FIGURE_H
#define TOOLS_IOWATCHER_FIGURE_H

#include <stddef.h>
#include <stdint.h>

#include "emit/svg_plot.h"
#include "tools/iowatcher/graphs.h"

/* --- smooth --------------------------------------------------------------- */

/*
 * Rolling means of numbers over time.
 */

/*
 * Each of count y becomes the mean of itself and those before it that are less
 * than so much of x away; x rises.  NaN stays, and is in no mean.
 */
void smooth(const double *x, double *y, size_t count, double window);

/* --- figure --------------------------------------------------------------- */

struct sources;			/* tools/iowatcher/sources.h */
struct watch_options;		/* tools/iowatcher/options.h */

/* the time that all graphs show, and its bins; ns */
struct time_frame {
	uint64_t from, to;
	uint64_t bin;		/* length; the last one may be shorter */
	size_t bins;
};

/* numbers over time */
struct curve {
	char *label;		/* in the legend, and in files */
	enum svg_swatch swatch;
	int32_t color;
	double *x;		/* seconds */
	double *y;		/* bytes/s, ios/s, ns, requests, percent; NaN:
				 * none */
	double *low;		/* of a band: where it begins; else NULL */
	size_t count;
};

struct figure {
	enum graph_kind kind;
	struct curve *curves;	/* as in the legend: those above others first */
	size_t count;
};

/* what all sources need */
void time_frame_find(struct time_frame *f, const struct watch_options *o,
		     const struct sources *s);

/* The lines of a graph, not GRAPH_IO.  Without memory the program ends. */
void figure_make(struct figure *f, enum graph_kind kind,
		 const struct watch_options *o, const struct time_frame *frame,
		 const struct sources *s);

/* the greatest y; 0 of none */
double figure_most(const struct figure *f);

void figure_free(struct figure *f);

#endif
