/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The last intervals: samples to look at once more, and columns of a map.
 */
#ifndef TOOLS_BLKTOP_HISTORY_H
#define TOOLS_BLKTOP_HISTORY_H

#include <stdint.h>

#include "tools/blktop/sample.h"

struct heat_map;		/* stat/heat.h */

enum {
	HISTORY_SAMPLES = 600,
	/* rows of all tables together, of which the last sample may have more:
	 * some 5 MiB */
	HISTORY_ROWS = 16384,
};

struct history {
	struct sample *samples[HISTORY_SAMPLES];	/* from head on */
	unsigned int head, count;
	unsigned int rows;
};

/* adds a sample, which is the history's from now on; the oldest may go */
void history_add(struct history *h, struct sample *s);

/* the newest is 0 back; NULL: it goes back no further */
struct sample *history_get(const struct history *h, unsigned int back);

/*
 * A map of what was up to the one so many back: at most so many columns, one
 * for each sample, and rows.  fine: steps of a sixth of a decade are wanted.
 * 0 and *m, which heat_map_free() frees; -ENOMEM.
 */
int history_map(const struct history *h, unsigned int back,
		unsigned int columns, unsigned int rows, bool fine,
		struct heat_map *m);

/* an all-zero struct has no samples */
void history_free(struct history *h);

#endif
