/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What mpstat has written, as text or JSON, whatever its columns and whatever
 * clock it shows.
 */
#ifndef TOOLS_IOWATCHER_MPSTAT_H
#define TOOLS_IOWATCHER_MPSTAT_H

#include <stdio.h>

struct cpu_times;		/* tools/iowatcher/cpu_times.h */

/*
 * Reads all records of a file into *c, which has none, or nothing if it has
 * none.  0, or -errno.
 */
int mpstat_read(struct cpu_times *c, FILE *f);

#endif
