/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The collecting end, -l: runs a server and prints what it reports.
 */
#ifndef TOOLS_BLKTRACE_COLLECTOR_H
#define TOOLS_BLKTRACE_COLLECTOR_H

#include <stdatomic.h>

struct options;			/* tools/blktrace/options.h */

/* collects until *stop; returns the exit status */
int collector_run(const struct options *o, const atomic_bool *stop);

#endif
