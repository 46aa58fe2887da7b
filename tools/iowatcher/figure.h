/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The lines of a graph as numbers over time, of all traces: rates, latency,
 * depth.  Of drawing it knows only signs and colours.
 */
#ifndef TOOLS_IOWATCHER_FIGURE_H
#define TOOLS_IOWATCHER_FIGURE_H

#include <stddef.h>
#include <stdint.h>

#include "emit/svg_plot.h"
#include "tools/iowatcher/graphs.h"

/* --- smooth --------------------------------------------------------------- */

/*
 * Rolling means: each of count y becomes the mean of those less than window of
 * x before it, and itself; x rises.  NaN stays, and is in no mean.
 */
void smooth(const double *x, double *y, size_t count, double window);

/* --- figure --------------------------------------------------------------- */

struct sources;			/* tools/iowatcher/sources.h */
struct watch_options;		/* tools/iowatcher/options.h */

/* the time of all graphs, and its bins; ns */
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
	double *low;		/* of a band: its lower end; else NULL */
	size_t count;
};

struct figure {
	enum graph_kind kind;
	struct curve *curves;	/* as in the legend: from front to back */
	size_t count;
};

/* the time of all sources */
void time_frame_find(struct time_frame *f, const struct watch_options *o,
		     const struct sources *s);

/* the lines of a graph, not GRAPH_IO; ends the program without memory */
void figure_make(struct figure *f, enum graph_kind kind,
		 const struct watch_options *o, const struct time_frame *frame,
		 const struct sources *s);

/* the greatest y, or 0 */
double figure_most(const struct figure *f);

void figure_free(struct figure *f);

#endif
