/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Passing over events that nobody wants, in all files of a run together, so
 * that everything that comes behind them is the same: events, their order also
 * where times are equal, notes and when they act.
 *
 * Done where that is certain, or else not at all: no damage on the way, no
 * version before 7, no two files that are alike in a time that matters.
 */
#ifndef RUN_SKIP_H
#define RUN_SKIP_H

#include <stdint.h>

#include "run/merge.h"

struct file_entry;		/* file/files.h */
struct locations;		/* file/location.h */
struct opener;			/* base/opener.h */
struct stream;			/* file/stream.h */

/* a CPU's file: one player of the merge, by the same number */
struct skip_file {
	const char *path;
	int cpu;		/* as struct stream_options has it */
	struct stream *stream;
	struct player player;	/* hands out the stream's events */
	uint64_t epoch;		/* ns, added to all times */
};

struct skip {
	struct merge *merge;
	const struct skip_file *files;
	uint32_t count;
	uint32_t batch;		/* of all streams */
	uint64_t first, time;	/* of the first event, and up to when */
	const struct opener *opener;	/* makes files of positions, or NULL */
};

/*
 * When the merge has handed out its first event and no other: it goes on with
 * the last events before a time, at most one of each file.  0, also when all
 * events will come; or -ENOMEM, which is before anything has changed.
 */
int skip_events(const struct skip *s);

/*
 * Before files are opened: the time of the first event of all, on the recording
 * machine's clock.  0 and *time; -ENODATA: several hosts, or a location that is
 * not in segments, have no such time; -ENOMEM.
 */
int skip_first(const struct locations *l, uint64_t *time);

/*
 * Drops from e the segments that end a second or more before a time, but not
 * the last event before it, wherever that is.  The names known by then are in
 * the heads of the segments that stay.  0 or -ENOMEM.
 */
int skip_segments(struct file_entry *e, uint64_t time);

#endif
