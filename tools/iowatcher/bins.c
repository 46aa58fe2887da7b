/* SPDX-License-Identifier: GPL-2.0-only */
/* Bins while reading; see bins.h. */
#include "tools/iowatcher/bins.h"
#include "tools/iowatcher/options.h"

enum { BINS_MIN = 256 };

/* Bins are combined for the plot, and four times what it shows are in use at
 * least: then some of them make one which is nearly of the wanted length. */
unsigned int bins_of(const struct watch_options *o)
{
	unsigned int bins = BINS_MIN;

	while (bins < 4 * o->width)
		bins *= 2;
	return bins;
}
