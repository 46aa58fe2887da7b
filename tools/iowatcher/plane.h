/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Device IO: the offsets of all traces over time, as cells of the plot with a
 * style each.  Devices of a trace are stacked, as their offsets have nothing to
 * do with each other.
 */
#ifndef TOOLS_IOWATCHER_PLANE_H
#define TOOLS_IOWATCHER_PLANE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "emit/svg.h"
#include "emit/svg_plot.h"
#include "stat/scale.h"

/* --- plane shares --------------------------------------------------------- */

/*
 * Who has a part in Device IO: a direction of a trace, or, with -P, of a
 * process; each with a colour.
 */

struct traced;			/* tools/iowatcher/traced.h */
struct watch_options;		/* tools/iowatcher/options.h */

struct plane_share {
	size_t trace;		/* its number */
	unsigned int class;	/* of a caller's number and a direction */
	uint64_t count;		/* marks, to tell which have most */
	char *label;
	int32_t color;
	bool listed;		/* is in the legend */
};

struct plane_shares {
	struct plane_share *list;	/* callers: those with most first */
	size_t count;
	unsigned int shown;	/* are told apart: the last of them is all the
				 * rest, too */
	bool mixed;		/* by class: those of one trace */
	unsigned int **by_class;	/* of each trace, places in the list */
	size_t traces;
};

/* what a share that is shown is called: the last may be all the rest, too */
const char *plane_shares_label(const struct plane_shares *s,
			       unsigned int share);

/* --- plane ---------------------------------------------------------------- */

struct time_frame;		/* tools/iowatcher/figure.h */

enum {
	PLANE_CELL = 2,		/* px */
	PLANE_STRENGTHS = 4,	/* a colour, by how much is in a cell */
};

/* where a device of a trace begins, of those that are stacked */
struct plane_band {
	const char *name;	/* the trace's */
	double sectors;		/* from the foot of the plot's offsets */
};

struct plane {
	unsigned int columns, rows;
	uint16_t *cells;	/* styles, as svg_cells() has them */
	struct svg_cell_style *styles;
	unsigned int style_count;
	struct scale axis;	/* of offsets, in MiB */
	struct svg_legend_entry *legend;
	size_t legend_count;
	struct plane_band *bands;	/* none if there is one device */
	size_t band_count;
	struct plane_shares shares;
	uint32_t *counts;	/* of a share that is shown, then of a cell;
				 * NULL: there are none */
};

/* ticks: of the axis, at most.  Without memory the program ends. */
void plane_make(struct plane *p, const struct watch_options *o,
		const struct time_frame *frame, unsigned int ticks,
		const struct traced *traces, size_t count);

void plane_free(struct plane *p);

#endif
