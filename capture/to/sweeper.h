/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A thread that gives segments which are whole their names and removes the
 * oldest: to free a large file takes the time in which a CPU fills its buffer,
 * so that is not for the threads which read.
 */
#ifndef CAPTURE_TO_SWEEPER_H
#define CAPTURE_TO_SWEEPER_H

struct capture_reporter;	/* capture/reporter.h */
struct sweeper;

/* keep: how many segments are left, with those that are being written, but the
 * newest whole one in any case; 0: all.  0 and *s, or -errno */
int sweeper_start(struct sweeper **s, unsigned int keep,
		  const struct capture_reporter *r);

/*
 * A segment is whole: its directory, of which both names are taken over, is to
 * be renamed.  writing: how many segments are being written.
 */
void sweeper_add(struct sweeper *s, char *partial, char *name,
		 unsigned int writing);

/* waits until all is done; NULL is fine */
void sweeper_end(struct sweeper *s);

#endif
