/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * --shift and --align: how the times of several machines' traces are aligned.
 */
#ifndef CLI_CLOCKS_H
#define CLI_CLOCKS_H

#include "cli/program.h"
#include "run/host_clocks.h"

/* the rows of the options, a struct host_wishes of the program's options */
#define CLOCKS_SHIFT(options, field) \
	.name = "shift", .argument = "HOST:TIME", \
	.help = "add TIME to a host's times, such as db1:+1.5ms or db1:-2s", \
	.set = clocks_add_shift, .at = offsetof(options, field)
#define CLOCKS_ALIGN(options, field) \
	.name = "align", .argument = "clock|start", \
	.help = "align several hosts by the time of day (clock) or by their" \
		" first events (start)", \
	.set = clocks_set_align, .at = offsetof(options, field)

void clocks_add_shift(void *wishes, const char *text);
void clocks_set_align(void *wishes, const char *text);

/* frees what the options have allocated */
void clocks_free(struct host_wishes *w);

#endif
