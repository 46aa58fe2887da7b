/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The graphs that there are, in the order in which they are drawn.
 */
#ifndef TOOLS_IOWATCHER_GRAPHS_H
#define TOOLS_IOWATCHER_GRAPHS_H

/* --- graphs --------------------------------------------------------------- */

enum graph_kind {
	GRAPH_IO,
	GRAPH_TPUT,
	GRAPH_FIO,
	GRAPH_CPU_IO,
	GRAPH_CPU_SYS,
	GRAPH_CPU_IRQ,
	GRAPH_CPU_SOFT,
	GRAPH_CPU_USER,
	GRAPH_LATENCY,
	GRAPH_DEPTH,
	GRAPH_IOPS,
	GRAPHS
};

#define GRAPH_BIT(kind) (1u << (kind))
#define GRAPHS_ALL (GRAPH_BIT(GRAPHS) - 1)

/* those from GRAPH_CPU_IO to GRAPH_CPU_USER */
#define GRAPHS_CPU (GRAPH_BIT(GRAPH_CPU_USER + 1) - GRAPH_BIT(GRAPH_CPU_IO))

/* what options and files call it */
const char *graph_name(enum graph_kind kind);

/* the word that stands above it */
const char *graph_title(enum graph_kind kind);

/* the name of the nr-th, NULL behind the last */
const char *graph_word(unsigned int nr);

/* the graph of that name, or GRAPHS */
enum graph_kind graph_find(const char *name);

/* --- units ---------------------------------------------------------------- */

/*
 * What the numbers of a graph's axis are in.
 */

struct unit_choice {
	const char *text;	/* beside the axis */
	double size;		/* of the figure's own unit */
};

/* the unit for a graph, not GRAPH_IO, whose greatest number is most */
struct unit_choice units_choose(enum graph_kind kind, double most);

/* what files call numbers of the figure's own unit */
const char *units_column(enum graph_kind kind);

#endif
