/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the tables show: all devices and processes, or those that -D and -e
 * name, in that order.
 */
#ifndef TOOLS_BTT_SELECT_H
#define TOOLS_BTT_SELECT_H

#include <stddef.h>

struct disk;			/* tools/btt/disk.h */
struct disks;
struct process;			/* tools/btt/processes.h */
struct processes;

/*
 * Devices of a list such as "8,0;8,16", or all if it is NULL.  One that is not
 * in the trace is passed over, what is no device ends the list.  The array is
 * the caller's to free; dies without memory.
 */
struct disk **select_disks(const struct disks *d, const char *list,
			   size_t *count);

/* the same for process names, "fio,dd"; p must be sorted */
struct process **select_processes(const struct processes *p, const char *list,
				  size_t *count);

#endif
