/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Graphs of the last intervals as text, below each other on one axis of time:
 * rates and queue depth as bars, latency as a map.
 */
#ifndef TOOLS_BLKTOP_GRAPHS_H
#define TOOLS_BLKTOP_GRAPHS_H

struct buf;			/* base/buf.h */
struct history;			/* tools/blktop/history.h */
struct look;			/* base/look.h */

/*
 * Appends exactly this many lines (1 at least) that end with the interval back;
 * the more, the more graphs.  b must have room, as nothing may be written.  0 or
 * -ENOMEM.
 */
int graphs_text(struct buf *b, const struct look *look,
		const struct history *h, unsigned int back,
		unsigned int lines);

#endif
