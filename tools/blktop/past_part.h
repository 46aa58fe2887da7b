/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Writes a part of the last events as a trace: a directory with a file per CPU
 * of a device, as blktrace does; with several machines, a directory each.
 *
 * Times stay in ns since the first event of the run.  A file starts with the
 * time of day, if known, and names a process before its first event.  Records
 * have version 7 or 8, in this machine's byte order.  Sequence numbers stay if
 * they are the CPU's, so that holes remain visible.
 */
#ifndef TOOLS_BLKTOP_PAST_PART_H
#define TOOLS_BLKTOP_PAST_PART_H

#include <stdint.h>

struct opener;			/* base/opener.h */
struct past;			/* tools/blktop/past.h */
struct reader;			/* run/reader.h */

struct past_part {
	const struct past *past;
	const struct reader *reader;	/* of the events */
	uint64_t from, to;	/* inclusive */
	const struct opener *opener;	/* makes the files, or NULL */
};

/* Makes dir, which must not exist; it appears complete or not at all.  *events:
 * their number.  0, -ENODATA: no event in that time, or another -errno. */
int past_part_write(const struct past_part *e, const char *dir,
		    uint64_t *events);

#endif
