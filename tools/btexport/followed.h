/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A capture that is exported while it goes on: a directory of segments, each of
 * which is exported once, when it is complete (file/segments.h), or a whole trace,
 * which is its only segment.  I/Os are rows of the segment in which they end.
 *
 * A segment's files are DIR/TABLE/host=HOST/date=DATE/HH-TRACE-NUMBER.ENDING, by
 * the day and hour of its start, UTC, and then its manifest and the checkpoint
 * are written.  Whatever ends us between any two of these, the next export makes
 * the same files.
 */
#ifndef TOOLS_BTEXPORT_FOLLOWED_H
#define TOOLS_BTEXPORT_FOLLOWED_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

struct export_options;		/* tools/btexport/options.h */
struct followed;

struct followed_segment {
	uint64_t rows, bytes;	/* of its files; rows: I/Os */
	uint64_t lag;		/* ns since it was complete */
};

/* dir is copied; whole: it is a trace that has ended; 0 and *f, or -ENOMEM */
int followed_new(struct followed **f, const struct export_options *o,
		 const volatile sig_atomic_t *stop, const char *dir, bool whole);

const char *followed_dir(const struct followed *f);

/*
 * Exports the next segment if it is complete.  1: done, ask again; 0: none, or
 * the capture has ended; -EINTR: a signal; -EIO: failed, and reported.  After
 * these the segment is exported from its beginning when asked again.  *s: about
 * the segment, after 1 and failures.
 */
int followed_step(struct followed *f, struct followed_segment *s);

/* NULL is fine */
void followed_free(struct followed *f);

#endif
