/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Device IO: the offsets of all traces over time, as cells of the plot with a
 * style each.  The devices of a trace are placed above each other.
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
 * The shares of Device IO: the directions of a trace, or with -P of its
 * processes, each with a colour.
 */

struct traced;			/* tools/iowatcher/traced.h */
struct watch_options;		/* tools/iowatcher/options.h */

struct plane_share {
	size_t trace;		/* its number */
	unsigned int class;	/* of a caller's number and a direction */
	uint64_t count;		/* marks, for the order */
	char *label;
	int32_t color;
	bool listed;		/* in the legend */
};

struct plane_shares {
	struct plane_share *list;	/* callers: most marks first */
	size_t count;
	unsigned int shown;	/* distinct ones: the last includes the rest */
	bool mixed;		/* by class, of one trace */
	unsigned int **by_class;	/* of each trace, places in the list */
	size_t traces;
};

/* the label of a shown share: the last may include the rest */
const char *plane_shares_label(const struct plane_shares *s,
			       unsigned int share);

/* --- plane ---------------------------------------------------------------- */

struct time_frame;		/* tools/iowatcher/figure.h */

enum {
	PLANE_CELL = 2,		/* px */
	PLANE_STRENGTHS = 4,	/* of a colour, by the count of a cell */
};

/* the place of a device of a trace */
struct plane_band {
	const char *name;	/* the trace's */
	double sectors;		/* from the foot of the plot's offsets */
};

struct plane {
	unsigned int columns, rows;
	uint16_t *cells;	/* styles for svg_cells() */
	struct svg_cell_style *styles;
	unsigned int style_count;
	struct scale axis;	/* of offsets, in MiB */
	struct svg_legend_entry *legend;
	size_t legend_count;
	struct plane_band *bands;	/* none for one device */
	size_t band_count;
	struct plane_shares shares;
	uint32_t *counts;	/* by shown share, then by cell; NULL: none */
};

/* ticks: of the axis, at most; ends the program without memory */
void plane_make(struct plane *p, const struct watch_options *o,
		const struct time_frame *frame, unsigned int ticks,
		const struct traced *traces, size_t count);

void plane_free(struct plane *p);

#endif
