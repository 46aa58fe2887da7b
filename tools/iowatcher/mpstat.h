/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Output of mpstat, as text or JSON, with any columns and clock.
 */
#ifndef TOOLS_IOWATCHER_MPSTAT_H
#define TOOLS_IOWATCHER_MPSTAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "tools/iowatcher/cpu_times.h"

/* --- cpu file ------------------------------------------------------------- */

/* the file of CPU times beside a trace */

enum { CPU_FILES = 2 };

/* Reads NAME.mpstat, or that of a name without its last extension, if any.
 * False after a message about a fault. */
bool cpu_file_read(struct cpu_times *c, const char *name);

/* the possible names of this file, which the caller frees */
void cpu_file_names(const char *name, char *names[CPU_FILES]);

/* --- mpstat --------------------------------------------------------------- */

/* reads all records of a file, if any, into the empty *c; 0, or -errno */
int mpstat_read(struct cpu_times *c, FILE *f);

#endif
