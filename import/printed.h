/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What blkparse has printed: its usual lines, or those of a format of -f.
 *
 * The trace has the same lines.  Text does not carry:
 *
 * - the time before the first event, also if -w left out earlier ones, and the
 *   time of day; events from before time 0 come first
 * - names of devices; those of processes in lines that do not show one
 * - sectors of I/Os without data, except in A, R and C, and of zone plugs
 * - bytes beyond whole sectors; a read without a size has 1 byte
 * - newlines in messages: the lines after the first are reported
 * - cgroup ids, except those of messages
 * - driver data, unknown actions, latencies
 *
 * These are derived:
 *
 * - categories without letters are those that the kernel gives to an action; C
 *   is of a request if the device has issued or inserted one
 * - X is as long as the distance to its new sector, of which the lower 32 bits
 *   are printed; without a distance, as the rest of the process's last Q
 * - C of a part of a split I/O is that part's, where blkparse prints more
 * - the size of a packet command that completes is that of the last one issued;
 *   zeros at its end are as many as SCSI commands of its kind have
 * - A, which prints the device it leads to, is of the device that its sequence
 *   number belongs to
 *
 * A format also loses what it has no field for, and where A comes from.
 *
 * Numbers missing in the sequence of a device and CPU are lost events.  If they
 * are missing more often than once in 16 events the text was filtered: that is
 * told by about(), and none are lost.  Text of several hosts is not read.
 *
 * Blank lines and those about files are passed over.  The summary ends it:
 * " Reads Queued:" and the line before, "Throughput", or "Trace started at".
 */
#ifndef IMPORT_PRINTED_H
#define IMPORT_PRINTED_H

#include <stdbool.h>
#include <stddef.h>

struct import_format;		/* import/import.h */
struct import_options;
struct import_to;
struct source;			/* file/source.h */

/* as import_format has them */
bool printed_is(const struct import_format *f, const char *begin, size_t len);
int printed_read(const struct import_format *f, struct source *s,
		 const struct import_options *o, const struct import_to *to);

#endif
