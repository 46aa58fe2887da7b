/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The last intervals: samples to show again, and columns of a map.
 */
#ifndef TOOLS_BLKTOP_HISTORY_H
#define TOOLS_BLKTOP_HISTORY_H

#include <stdint.h>

#include "tools/blktop/sample.h"

struct heat_map;		/* stat/heat.h */

enum {
	HISTORY_SAMPLES = 600,
	/* in all tables, about 5 MiB; the newest sample may exceed it */
	HISTORY_ROWS = 16384,
};

struct history {
	struct sample *samples[HISTORY_SAMPLES];	/* from head on */
	unsigned int head, count;
	unsigned int rows;
};

/* takes ownership of s; may drop the oldest */
void history_add(struct history *h, struct sample *s);

/* 0 is the newest; NULL: no older sample */
struct sample *history_get(const struct history *h, unsigned int back);

/* The samples up to back that this many columns show, and the columns of each:
 * a power of two, more than 1 while few are kept. */
unsigned int history_shown(const struct history *h, unsigned int back,
			   unsigned int columns);
unsigned int history_stretch(const struct history *h, unsigned int back,
			     unsigned int columns);

/*
 * A map of these samples, which has all rows if its steps have as many.  fine: steps of a sixth of a decade, if they fit.  0 and *m, to be
 * freed by heat_map_free(); -ENOMEM.
 */
int history_map(const struct history *h, unsigned int back,
		unsigned int columns, unsigned int rows, bool fine,
		struct heat_map *m);

/* accepts an all-zero struct, which is an empty history */
void history_free(struct history *h);

#endif
