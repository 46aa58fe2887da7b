/* SPDX-License-Identifier: GPL-2.0-only */
/* Colours; see colors.h. */
#include <math.h>

#include "tools/iowatcher/colors.h"

static const int32_t colors[COLORS] = {
	COLOR_READS, COLOR_WRITES, 0x0f8079, 0x8e44ad, 0xc2185b, 0x7a6a00,
	0x5b57c9, 0x2e7d32, 0x8d4b2f, 0x0088a8, 0xa23b3b, 0x4b6b00, 0xb0449c,
	0x3a5a8c,
};

int32_t color_of(unsigned int nr)
{
	return nr < COLORS ? colors[nr] : COLOR_OTHERS;
}

int32_t color_mix(int32_t first, int32_t second, double share)
{
	int32_t mixed = 0;

	for (int shift = 16; shift >= 0; shift -= 8) {
		double a = first >> shift & 255, b = second >> shift & 255;

		mixed |= (int32_t)lround(a + (b - a) * share) << shift;
	}
	return mixed;
}
