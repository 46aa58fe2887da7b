/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Joins the Parquet files of a trace's segments, of hours that are over: of each
 * table one for an hour, HH-TRACE.parquet, with all their rows in order, and one
 * manifest.
 *
 * An hour's manifest is written before its files are renamed into place, and the
 * segments' are removed after that: whatever ends us, the next call completes it.
 * Between these two readers see rows twice, for some milliseconds.
 */
#ifndef TOOLS_BTEXPORT_COMPACT_H
#define TOOLS_BTEXPORT_COMPACT_H

#include <stdbool.h>

struct opener;			/* base/opener.h */
struct row_options;		/* emit/row.h */

struct compaction {
	const char *folder;
	const char *host, *trace;
	const struct opener *opener;
	const struct row_options *rows;	/* how files are written */
	/* the manifest of the latest segment: its hour is not over; NULL: all are */
	const char *latest;
};

/* false: failed, and reported; the segments' files are still there */
bool compact(const struct compaction *c);

#endif
