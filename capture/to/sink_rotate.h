/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The sink to segments: directories that follow each other, each with the files
 * of capture/to/sink_file and a trace by itself; file/segments.h has their
 * names and what their files begin with.
 *
 * All CPUs change to the next segment at one border, a trace time: by size it is
 * behind the newest event that any CPU has written.  Each cuts its own stream
 * before its first event of that time or later, or, if there is none, when all
 * that is older must have come.  There is one border at a time, and the segment
 * before it is whole when all CPUs have passed it.
 *
 * A segment that lacks records, as a disk was full, keeps its ".partial", and
 * so do those after it.
 */
#ifndef CAPTURE_TO_SINK_ROTATE_H
#define CAPTURE_TO_SINK_ROTATE_H

#include <stdint.h>

#include "capture/notes.h"
#include "capture/to/sink_file.h"

struct sink;			/* capture/sink.h */

struct sink_rotate_options {
	struct sink_file_options files;	/* directory: that of segments */
	uint64_t size;		/* bytes stored, after which a border is set */
	uint64_t time;		/* ns between two borders; 0, as size: no
				 * reason for one */
	unsigned int keep;	/* so many segments are left; 0: all */
	struct notes_stamp (*now)(void);	/* the clock of the records */
	/*
	 * A segment's directory has been made, or will get no more records:
	 * called with a lock held, from any thread.  NULL: nobody asks.
	 */
	void (*began)(void *ctx, const char *directory);
	void (*ended)(void *ctx, const char *directory);
	void *ctx;
};

/*
 * Makes the directory if it is missing, and the first segment.  One that has
 * segments is refused (-EEXIST): they are another trace's.  0 and *s, or
 * -errno, reported.
 */
int sink_rotate_new(struct sink **s, const struct sink_rotate_options *o);

#endif
