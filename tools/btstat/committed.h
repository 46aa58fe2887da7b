/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * --by=commit: what calls that wait for the disk waited for; in a trace without
 * calls what its journal commits and flushes did.
 */
#ifndef TOOLS_BTSTAT_COMMITTED_H
#define TOOLS_BTSTAT_COMMITTED_H

#include "request/ios.h"

struct commit_sums;		/* commit/commit_sums.h */
struct commits;			/* commit/commits.h */
struct window;			/* run/window.h */

/* an all-zero one is not wanted */
struct committed {
	struct ios *ios;
	const struct window *window;	/* of those that count, by their ends */
	struct ios_watcher watcher;
	struct commits *commits;
	struct commit_sums *sums;
	int failed;		/* -ENOMEM, of an event */
};

/* Before the first I/O; c stays where it is.  0 or -ENOMEM. */
int committed_init(struct committed *c, struct ios *ios, const struct window *window);

/* each I/O, also outside of the window; 0 or -ENOMEM */
int committed_add(struct committed *c, const struct io *io);

/* the end; 0 or -ENOMEM */
int committed_end(struct committed *c);

void committed_free(struct committed *c);

#endif
