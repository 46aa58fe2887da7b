/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What calls that wait for the disk waited for, on a page of a trace that has such
 * calls (iotracer --commits).
 */
#ifndef REPORT_COMMIT_PANEL_H
#define REPORT_COMMIT_PANEL_H

#include "request/ios.h"

struct buf;			/* base/buf.h */
struct commit_sums;		/* commit/commit_sums.h */
struct commits;			/* commit/commits.h */
struct window;			/* run/window.h */

struct commit_panel {
	const struct window *window;	/* of those that count, by their ends */
	struct ios *ios;
	struct ios_watcher watcher;
	struct commits *commits;
	struct commit_sums *sums;	/* NULL until the first call */
	int failed;		/* -ENOMEM, of a message */
};

/* Before the first I/O; p stays where it is.  0 or -ENOMEM. */
int commit_panel_init(struct commit_panel *p, struct ios *ios,
		      const struct window *window);

/* each I/O, also outside of the window; 0 or -ENOMEM */
int commit_panel_add(struct commit_panel *p, const struct io *io);

/* the end; 0 or -ENOMEM */
int commit_panel_end(struct commit_panel *p);

/* after the end: a section of the page, or nothing */
void commit_panel_write(const struct commit_panel *p, struct buf *b);

void commit_panel_free(struct commit_panel *p);

#endif
