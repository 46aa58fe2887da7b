/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How many bins are kept while reading, for a plot of some width: all that is
 * drawn begins with the same, so that bins which have doubled can be combined.
 */
#ifndef TOOLS_IOWATCHER_BINS_H
#define TOOLS_IOWATCHER_BINS_H

struct watch_options;		/* tools/iowatcher/options.h */

enum { BIN_NS = 1 << 16 };	/* of a bin at first */

unsigned int bins_of(const struct watch_options *o);

#endif
