/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How long requests waited from Q to D, in classes: the Q2D histogram (-A).
 */
#ifndef TOOLS_BTT_WAITS_H
#define TOOLS_BTT_WAITS_H

#include <stdint.h>

enum { WAITS = 10 };

struct waits {
	uint64_t counts[WAITS];	/* below 5 ms, 10 ms, ... 1 s, and the rest */
};

/* counts a wait of so many ns */
void waits_add(struct waits *w, uint64_t ns);

#endif
