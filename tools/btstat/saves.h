/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Save files: histograms of a run that are written (--save), read, and merged.
 */
#ifndef TOOLS_BTSTAT_SAVES_H
#define TOOLS_BTSTAT_SAVES_H

#include <stdbool.h>

#include "tools/btstat/screen.h"

struct buf;			/* base/buf.h */
struct saved;			/* stat/saved.h */

/*
 * Writes the rows of a screen by device and operation to the file --save
 * names, or the rest of the tally's sets of intervals; whether that went well.
 */
bool saves_write(const struct screen *s);

/*
 * Adds what a file has; whether it was whole: what is wrong with it is
 * reported.  Dies if it cannot be read.
 */
bool saves_read(struct saved *set, const char *path);

/* reads all operands, merges them, and shows them; the exit status */
int saves_show(const struct stat_options *o, const struct look *look,
	       struct buf *b);

#endif
