/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A thread that names complete segments and removes the oldest: freeing a large
 * file takes so long that a reading thread would lose events.
 */
#ifndef CAPTURE_TO_SWEEPER_H
#define CAPTURE_TO_SWEEPER_H

struct capture_reporter;	/* capture/reporter.h */
struct sweeper;

/* keep: segments to keep, including those being written, and at least the
 * newest complete one; 0: all.  0 and *s, or -errno */
int sweeper_start(struct sweeper **s, unsigned int keep,
		  const struct capture_reporter *r);

/* renames a complete segment's directory or packed file, and owns both names; writing: number
 * of segments being written */
void sweeper_add(struct sweeper *s, char *partial, char *name,
		 unsigned int writing);

/* waits until all is done; s may be NULL */
void sweeper_end(struct sweeper *s);

#endif
