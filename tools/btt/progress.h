/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How far the reading has come, and how fast it was (-v).
 *
 * What is still going on is for people: it goes to standard error, if that is
 * a terminal.  1.3.0: the last line goes to standard output, behind an empty
 * one that covers what was there before.
 */
#ifndef TOOLS_BTT_PROGRESS_H
#define TOOLS_BTT_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

struct buf;			/* base/buf.h */
struct event;			/* record/record.h */

struct progress {
	struct buf *out;	/* where the last line goes; NULL: no -v */
	bool shown;		/* to standard error, as the reading goes on */
	bool begun;		/* a line stands there */
	uint64_t size;		/* bytes that there are; 0: not known */
	uint64_t seen;		/* bytes of the events so far */
	uint64_t events;	/* all that have come */
	uint64_t start;		/* ns, by the clock that is never set */
	uint64_t last;		/* ns, when the line was written last */
};

/* path is what is read, if it is one file, else NULL */
void progress_begin(struct progress *p, struct buf *out, const char *path);

/* slow path of progress_event() */
void progress_show(struct progress *p, const struct event *ev, uint64_t count);

/* one more event has come; count are those that were of interest so far */
static inline void progress_event(struct progress *p, const struct event *ev,
				  uint64_t count)
{
	if (p->shown)
		progress_show(p, ev, count);
}

void progress_end(struct progress *p, uint64_t count);

#endif
