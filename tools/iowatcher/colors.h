/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Colours of lines and cells, 0xRRGGBB: each can be told from white, and no
 * two that belong together are red and green.
 */
#ifndef TOOLS_IOWATCHER_COLORS_H
#define TOOLS_IOWATCHER_COLORS_H

#include <stdint.h>

enum {
	COLOR_READS = 0x0b6fb8, COLOR_WRITES = 0xd4570a,
	COLOR_OTHERS = 0x6b7785,
	COLOR_MEAN = 0x18212c, COLOR_PERCENTILE = 0xd1145f,
	COLOR_DEPTH = 0x5b57c9,
	/* a line between devices */
	COLOR_BORDER = 0x8291a0,
};

/* the nr-th of several things, from 0; the first two are reads and writes */
int32_t color_of(unsigned int nr);

/* so many colours are different; behind them color_of() is COLOR_OTHERS */
enum { COLORS = 14 };

/* a colour between two, share of it from the second, 0 to 1 */
int32_t color_mix(int32_t first, int32_t second, double share);

#endif
