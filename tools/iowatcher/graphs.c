/* SPDX-License-Identifier: GPL-2.0-only */
/* Names of graphs; see graphs.h. */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "tools/iowatcher/graphs.h"

/* --- colors --------------------------------------------------------------- */

static const int32_t colors[COLORS] = {
	COLOR_READS, COLOR_WRITES, 0x0f8079, 0x8e44ad, 0xc2185b, 0x7a6a00,
	0x5b57c9, 0x2e7d32, 0x8d4b2f, 0x0088a8, 0xa23b3b, 0x4b6b00, 0xb0449c,
	0x3a5a8c,
};

int32_t color_of(unsigned int nr)
{
	return nr < COLORS ? colors[nr] : COLOR_OTHERS;
}

int32_t color_mix(int32_t first, int32_t second, double share)
{
	int32_t mixed = 0;

	for (int shift = 16; shift >= 0; shift -= 8) {
		double a = first >> shift & 255, b = second >> shift & 255;

		mixed |= (int32_t)lround(a + (b - a) * share) << shift;
	}
	return mixed;
}

/* --- graphs --------------------------------------------------------------- */

static const struct {
	const char *name, *title;
} graphs[GRAPHS] = {
	[GRAPH_IO] = { "io", "Device IO" },
	[GRAPH_TPUT] = { "tput", "Throughput" },
	[GRAPH_FIO] = { "fio", "Fio Throughput" },
	[GRAPH_CPU_IO] = { "cpu-io", "CPU IO Wait Time" },
	[GRAPH_CPU_SYS] = { "cpu-sys", "CPU System Time" },
	[GRAPH_CPU_IRQ] = { "cpu-irq", "CPU IRQ Time" },
	[GRAPH_CPU_SOFT] = { "cpu-soft", "CPU Soft IRQ Time" },
	[GRAPH_CPU_USER] = { "cpu-user", "CPU User Time" },
	[GRAPH_LATENCY] = { "latency", "IO Latency" },
	[GRAPH_DEPTH] = { "queue-depth", "Queue Depth" },
	[GRAPH_IOPS] = { "iops", "IOPs" },
};

const char *graph_name(enum graph_kind kind)
{
	return graphs[kind].name;
}

const char *graph_title(enum graph_kind kind)
{
	return graphs[kind].title;
}

const char *graph_word(unsigned int nr)
{
	return nr < GRAPHS ? graphs[nr].name : NULL;
}

enum graph_kind graph_find(const char *name)
{
	for (unsigned int i = 0; i < GRAPHS; i++)
		if (!strcmp(graphs[i].name, name))
			return (enum graph_kind)i;
	return GRAPHS;
}

/* --- units ---------------------------------------------------------------- */

/* units of a kind, from small to large */
struct ladder {
	const char *column;	/* what files call the figure's own */
	double step;		/* each is so many of the one before, */
	double most;		/* which is left when there are more */
	const char *texts[6];	/* NULL behind the last */
};

static const struct ladder ladders[GRAPHS] = {
	[GRAPH_TPUT] = { "bytes_per_s", 1024, 1024,
			 { "B/s", "KiB/s", "MiB/s", "GiB/s", "TiB/s" } },
	[GRAPH_FIO] = { "bytes_per_s", 1024, 1024,
			{ "B/s", "KiB/s", "MiB/s", "GiB/s", "TiB/s" } },
	[GRAPH_CPU_IO] = { "percent", 1, 0, { "Percent" } },
	[GRAPH_CPU_SYS] = { "percent", 1, 0, { "Percent" } },
	[GRAPH_CPU_IRQ] = { "percent", 1, 0, { "Percent" } },
	[GRAPH_CPU_SOFT] = { "percent", 1, 0, { "Percent" } },
	[GRAPH_CPU_USER] = { "percent", 1, 0, { "Percent" } },
	[GRAPH_LATENCY] = { "ns", 1000, 10000,
			    { "latency (ns)", "latency (us)", "latency (ms)",
			      "latency (s)" } },
	[GRAPH_DEPTH] = { "requests", 1, 0, { "Pending IO" } },
	[GRAPH_IOPS] = { "ios_per_s", 1, 0, { "IO/s" } },
};

struct unit_choice units_choose(enum graph_kind kind, double most)
{
	const struct ladder *l = &ladders[kind];
	struct unit_choice c = { .size = 1 };
	size_t i = 0;

	while (l->texts[i + 1] && most / c.size > l->most) {
		c.size *= l->step;
		i++;
	}
	c.text = l->texts[i];
	return c;
}

const char *units_column(enum graph_kind kind)
{
	return ladders[kind].column;
}
