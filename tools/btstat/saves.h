/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Save files: a run's histograms, written (--save), read and merged.
 */
#ifndef TOOLS_BTSTAT_SAVES_H
#define TOOLS_BTSTAT_SAVES_H

#include <stdbool.h>

#include "tools/btstat/screen.h"

struct buf;			/* base/buf.h */
struct saved;			/* stat/saved.h */

/* Writes the file of --save: a screen's rows by device and operation, or the
 * rest of the tally's intervals; whether it succeeded. */
bool saves_write(const struct screen *s);

/* Adds the file to set.  False, with a message, if it is damaged or cut; dies
 * if it cannot be read. */
bool saves_read(struct saved *set, const char *path);

/* merges all operands and shows them; the exit status */
int saves_show(const struct stat_options *o, const struct look *look,
	       struct buf *b);

#endif
