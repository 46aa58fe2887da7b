/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tables as of iostat: one every few seconds, and one for the run at the end
 * (-I, -S).
 *
 * 1.3.0: svctm is the time from queueing to completion; queue sizes may be
 * negative, since merged requests leave a queue they never entered; TOTAL lines
 * have reads and writes exchanged, and rates only at the end.
 */
#ifndef TOOLS_BTT_FILES_IOSTAT_H
#define TOOLS_BTT_FILES_IOSTAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/btt/seconds.h"

struct datafile;		/* tools/btt/datafile.h */
struct disk;			/* tools/btt/disk.h */
struct opener;			/* base/opener.h */

struct iostat {
	struct datafile *file;	/* or NULL */
	uint64_t interval;	/* ns */
	uint64_t start;		/* of the interval, or NEVER */
};

/* the devices of a table, in order */
struct iostat_rows {
	struct disk *const *disks;
	size_t count;
};

/* path may be NULL; false: it cannot be opened, after a warning */
bool iostat_open(struct iostat *io, const struct opener *by, const char *path,
		 unsigned int seconds);

/* whether a table is due at this time; the first call starts the clock */
static inline bool iostat_is_due(const struct iostat *io, uint64_t time)
{
	/* a step back in time wraps around: due, too */
	return io->file && (io->start == NEVER ||
			    time - io->start >= io->interval);
}

void iostat_table(struct iostat *io, const struct iostat_rows *rows,
		  uint64_t time);

/* writes the table of the run; false: a write failed, after a warning */
bool iostat_close(struct iostat *io, const struct iostat_rows *rows,
		  uint64_t time);

#endif
