/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * --shift and --align: how a program that reads traces of several machines puts
 * them beside each other, as a struct host_wishes of its options.
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
	.help = "put several hosts beside each other by the time of day" \
		" (clock), or by their first events", \
	.set = clocks_set_align, .at = offsetof(options, field)

void clocks_add_shift(void *wishes, const char *text);
void clocks_set_align(void *wishes, const char *text);

/* what the options have taken */
void clocks_free(struct host_wishes *w);

#endif
