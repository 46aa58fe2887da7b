/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The rows of tables: all devices and processes, or those named by -D and -e,
 * in that order.
 */
#ifndef TOOLS_BTT_SELECT_H
#define TOOLS_BTT_SELECT_H

#include <stddef.h>

struct disk;			/* tools/btt/disk.h */
struct disks;
struct process;			/* tools/btt/processes.h */
struct processes;

/* The devices of a list such as "8,0;8,16", or all if it is NULL.  Ignores
 * those not in the trace; stops at a word that is no device.  The caller frees
 * the array; dies without memory. */
struct disk **select_disks(const struct disks *d, const char *list,
			   size_t *count);

/* the same for process names, "fio,dd"; p must be sorted */
struct process **select_processes(const struct processes *p, const char *list,
				  size_t *count);

#endif
