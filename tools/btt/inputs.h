/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What btt reads: a dump, its events as they stand; or what blktrace has
 * written, as blkparse -d would have dumped it.
 */
#ifndef TOOLS_BTT_INPUTS_H
#define TOOLS_BTT_INPUTS_H

#include <stdbool.h>
#include <stdint.h>

#include "file/stream.h"

/* --- progress ------------------------------------------------------------- */

/*
 * How far the reading has come, and how fast it was (-v).
 *
 * What is still going on is for people: it goes to standard error, if that is
 * a terminal.  1.3.0: the last line goes to standard output, behind an empty
 * one that covers what was there before.
 */

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

/* --- inputs --------------------------------------------------------------- */

struct hooks;			/* file/hooks.h */
struct input;			/* run/input.h */
struct options;			/* tools/btt/options.h */

struct inputs {
	struct input *in;
	struct stream *dump;	/* nothing is done to its events; or NULL */
	bool begun;
	uint64_t genesis;	/* time of the first event, taken off of all */
};

/* whether there is a pipe among what *o names */
bool inputs_have_pipe(const struct options *o);

/* whether -i names a plain file, or /dev/null: an empty one; all else is no dump
 * by itself */
bool inputs_are_dump(const struct options *o);

/* nothing is opened yet, and no hook called; dies without memory */
void inputs_init(struct inputs *i, const struct hooks *hooks);

/* opens what *o names; dies when that fails */
void inputs_open(struct inputs *i, const struct options *o);

/* slow path of inputs_next() */
int inputs_next_dumped(struct inputs *i, struct event **ev);

/* 1 and *ev: the next event; 0: the end; -EINTR: a signal came, look around
 * and ask again.  Dies without memory. */
static inline int inputs_next(struct inputs *i, struct event **ev)
{
	return i->dump ? stream_next(i->dump, ev) : inputs_next_dumped(i, ev);
}

void inputs_close(struct inputs *i);

#endif
