/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * --compare of save files: what one of them has, as a run.
 *
 * With intervals these are slices of its time.  How long they are is not in
 * the file: as long as divides all distances between them.  Without them, or
 * with some histograms of no interval, the run is in one piece.
 */
#ifndef TOOLS_BTSTAT_SAVED_RUN_H
#define TOOLS_BTSTAT_SAVED_RUN_H

#include <stdint.h>

#include "compare/side.h"

struct comparison;		/* compare/comparison.h */
struct saved;			/* stat/saved.h */

/*
 * Adds what the set has of a phase, "q2c", of all devices.  0, -ENOMEM, or
 * -EOVERFLOW as comparison_histogram().
 */
int saved_run_add(struct saved *set, const char *phase, struct comparison *c,
		  enum compare_side side, unsigned int run);

/*
 * How many ios of the phase are not added: of passthrough commands and zones
 * the file does not tell the operation.
 */
uint64_t saved_run_left_out(struct saved *set, const char *phase);

#endif
