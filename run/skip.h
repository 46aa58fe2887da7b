/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Skips the events before a window without reading them, or leaves out whole
 * segments.
 *
 * The events that follow, their order even among equal times, and notes are as
 * without skipping.  Where that is not certain, because of damage, a version
 * before 7 or equal times in two files, nothing is skipped.
 */
#ifndef RUN_SKIP_H
#define RUN_SKIP_H

#include <stdint.h>

#include "run/merge.h"

struct file_entry;		/* file/files.h */
struct locations;		/* file/location.h */
struct opener;			/* base/opener.h */
struct stream;			/* file/stream.h */

/* a CPU's file: the merge's player of the same number */
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
	uint64_t first, time;	/* of the first event; of the first wanted */
	const struct opener *opener;	/* writes positions; or NULL */
};

/*
 * Call after the merge's first event: the next are the last ones before the
 * time, at most one of each file.  0, also if nothing is skipped; -ENOMEM:
 * nothing has changed.
 */
int skip_events(const struct skip *s);

/*
 * Call before files are opened: the time of the first event, on the recording
 * machine's clock.  0 and *time; -ENODATA: several hosts, or not all locations
 * are in segments; -ENOMEM.
 */
int skip_first(const struct locations *l, uint64_t *time);

/*
 * Drops from e the segments that end a second or more before a time, but not
 * the one of the last event before it.  The heads of those that stay have all
 * names.  0 or -ENOMEM.
 */
int skip_segments(struct file_entry *e, uint64_t time);

#endif
