/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The graphs, in drawing order, with their colours and units.
 */
#ifndef TOOLS_IOWATCHER_GRAPHS_H
#define TOOLS_IOWATCHER_GRAPHS_H

#include <stdint.h>

/* --- colors --------------------------------------------------------------- */

/*
 * Colours of lines and cells, 0xRRGGBB: distinct from white, and no pairs of
 * red and green.
 */

enum {
	COLOR_READS = 0x0b6fb8, COLOR_WRITES = 0xd4570a,
	COLOR_OTHERS = 0x6b7785,
	COLOR_MEAN = 0x18212c, COLOR_PERCENTILE = 0xd1145f,
	COLOR_DEPTH = 0x5b57c9,
	/* a line between devices */
	COLOR_BORDER = 0x8291a0,
};

/* the nr-th, from 0; the first two are reads and writes */
int32_t color_of(unsigned int nr);

/* distinct colours; after them color_of() is COLOR_OTHERS */
enum { COLORS = 14 };

/* a colour between two, share of it from the second, 0 to 1 */
int32_t color_mix(int32_t first, int32_t second, double share);

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

/* GRAPH_CPU_IO to GRAPH_CPU_USER */
#define GRAPHS_CPU (GRAPH_BIT(GRAPH_CPU_USER + 1) - GRAPH_BIT(GRAPH_CPU_IO))

/* its name in options and files */
const char *graph_name(enum graph_kind kind);

/* its title */
const char *graph_title(enum graph_kind kind);

/* the name of the nr-th, NULL after the last */
const char *graph_word(unsigned int nr);

/* the graph of that name, or GRAPHS */
enum graph_kind graph_find(const char *name);

/* --- units ---------------------------------------------------------------- */

struct unit_choice {
	const char *text;	/* beside the axis */
	double size;		/* of the figure's own unit */
};

/* the unit for a graph, not GRAPH_IO, whose greatest number is most */
struct unit_choice units_choose(enum graph_kind kind, double most);

/* the name of the figure's own unit in files */
const char *units_column(enum graph_kind kind);

#endif
