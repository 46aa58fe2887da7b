/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the numbers of a graph's axis are in.
 */
#ifndef TOOLS_IOWATCHER_UNITS_H
#define TOOLS_IOWATCHER_UNITS_H

#include "tools/iowatcher/graphs.h"

struct unit_choice {
	const char *text;	/* beside the axis */
	double size;		/* of the figure's own unit */
};

/* the unit for a graph, not GRAPH_IO, whose greatest number is most */
struct unit_choice units_choose(enum graph_kind kind, double most);

/* what files call numbers of the figure's own unit */
const char *units_column(enum graph_kind kind);

#endif
