/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * --compare: reads the runs of two sides, one after the other, and shows what
 * is different.
 */
#ifndef TOOLS_BTSTAT_VERSUS_H
#define TOOLS_BTSTAT_VERSUS_H

#include <stdbool.h>
#include <signal.h>

#include "compare/comparison.h"

struct buf;			/* base/buf.h */
struct look;			/* base/look.h */
struct stat_options;		/* tools/btstat/options.h */

struct versus_result {
	bool damaged;		/* something in the inputs */
	enum comparison_gate gate;	/* the gravest of all measures */
};

/* Writes the tables to b.  Ends the program if a name cannot be read; stops
 * reading when *stop is set. */
struct versus_result versus_run(const struct stat_options *o,
				const struct look *look, struct buf *b,
				const volatile sig_atomic_t *stop);

#endif
