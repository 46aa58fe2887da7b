/* SPDX-License-Identifier: GPL-2.0-only */
/* Names of graphs; see graphs.h. */
#include <stddef.h>
#include <string.h>

#include "tools/iowatcher/graphs.h"

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
