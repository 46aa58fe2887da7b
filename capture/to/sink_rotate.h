/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The sink to segments: consecutive directories, each a complete trace in files
 * of capture/to/sink_file, or packed files of capture/to/sink_packed.
 * file/segments.h has their names and heads.
 *
 * All CPUs change to the next segment at one border, a trace time; by size it
 * is after the newest event written by any CPU.  Each cuts its stream before
 * its first event of that time or later, or once all older events must have
 * come.  There is one border at a time; the segment before it is complete once
 * all CPUs have passed it.
 *
 * A segment without all its records, after a full disk, keeps its ".partial",
 * and so do later ones.
 */
#ifndef CAPTURE_TO_SINK_ROTATE_H
#define CAPTURE_TO_SINK_ROTATE_H

#include <stdbool.h>
#include <stdint.h>

#include "capture/notes.h"
#include "capture/to/sink_file.h"

struct sink;			/* capture/sink.h */

struct sink_rotate_options {
	struct sink_file_options files;	/* directory: that of segments */
	bool pack;		/* each segment is a packed file */
	uint64_t size;		/* bytes of a segment; 0: any */
	uint64_t time;		/* ns of a segment; 0: any */
	unsigned int keep;	/* segments to keep; 0: all */
	struct notes_stamp (*now)(void);	/* the records' clock */
	/*
	 * A segment's directory or packed file and the sink of its files have
	 * been made, or get no more records; called with a lock held, from any
	 * thread.  May be NULL.
	 */
	void (*began)(void *ctx, const char *directory, struct sink *files);
	void (*ended)(void *ctx, const char *directory, struct sink *files);
	void *ctx;
};

/*
 * Makes the directory if it is missing, and the first segment.  -EEXIST: the
 * directory has segments of another trace.  0 and *s, or -errno, reported.
 */
int sink_rotate_new(struct sink **s, const struct sink_rotate_options *o);

#endif
