/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * --compare of save files: one file as a run.
 *
 * The file does not hold the length of its intervals: it is the greatest common
 * divisor of their distances.  If a histogram is of no interval, the run is one
 * slice.
 */
#ifndef TOOLS_BTSTAT_SAVED_RUN_H
#define TOOLS_BTSTAT_SAVED_RUN_H

#include <stdint.h>

#include "compare/side.h"

struct comparison;		/* compare/comparison.h */
struct saved;			/* stat/saved.h */

/* Adds a phase ("q2c") of all devices.  0, -ENOMEM, or -EOVERFLOW as
 * comparison_histogram(). */
int saved_run_add(struct saved *set, const char *phase, struct comparison *c,
		  enum compare_side side, unsigned int run);

/* the number of I/Os not added: passthrough and zone commands, whose operation
 * is not in the file */
uint64_t saved_run_left_out(struct saved *set, const char *phase);

#endif
