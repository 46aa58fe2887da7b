/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The file beside a trace that says what the CPUs did meanwhile.
 */
#ifndef TOOLS_IOWATCHER_CPU_FILE_H
#define TOOLS_IOWATCHER_CPU_FILE_H

#include <stdbool.h>

enum { CPU_FILES = 2 };

struct cpu_times;		/* tools/iowatcher/cpu_times.h */

/*
 * Reads NAME.mpstat, or the same of a name without its last extension, if there
 * is one.  Whether nothing is wrong; else that has been reported.
 */
bool cpu_file_read(struct cpu_times *c, const char *name);

/* the names of these files, there or not, which are the caller's */
void cpu_file_names(const char *name, char *names[CPU_FILES]);

#endif
