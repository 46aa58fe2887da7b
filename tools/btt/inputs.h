/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * btt's input: a dump, whose events are not changed; or a trace, whose events
 * are converted as by blkparse -d.
 */
#ifndef TOOLS_BTT_INPUTS_H
#define TOOLS_BTT_INPUTS_H

#include <stdbool.h>
#include <stdint.h>

#include "file/stream.h"

/* --- progress ------------------------------------------------------------- */

/*
 * The progress and speed of reading (-v).
 *
 * Progress is shown on standard error, if that is a terminal.  1.3.0: the last
 * line is on standard output, after an empty one that covers the progress.
 */

struct buf;			/* base/buf.h */
struct event;			/* record/record.h */

struct progress {
	struct buf *out;	/* for the last line; NULL: no -v */
	bool shown;		/* on standard error */
	bool begun;		/* a line was shown */
	uint64_t size;		/* of the input, bytes; 0: unknown */
	uint64_t seen;		/* bytes of the events so far */
	uint64_t events;	/* so far */
	uint64_t start;		/* ns, by the monotonic clock */
	uint64_t last;		/* when a line was shown last, ns */
};

/* path: the only input file, or NULL */
void progress_begin(struct progress *p, struct buf *out, const char *path);

/* slow path of progress_event() */
void progress_show(struct progress *p, const struct event *ev, uint64_t count);

/* call at each event; count: events counted so far */
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
	struct stream *dump;	/* or NULL */
	bool as_written;	/* its events come as in the dump */
	bool begun;
	uint64_t genesis;	/* time of the first event, made 0 */
};

/* whether an input is a pipe */
bool inputs_have_pipe(const struct options *o);

/* whether -i names a plain file, or /dev/null (an empty dump) */
bool inputs_are_dump(const struct options *o);

/* opens nothing and calls no hook yet; dies without memory */
void inputs_init(struct inputs *i, const struct hooks *hooks);

/* opens the inputs; dies if that fails */
void inputs_open(struct inputs *i, const struct options *o);

/* slow path of inputs_next() */
int inputs_next_dumped(struct inputs *i, struct event **ev);

/* 1 and *ev: the next event; 0: end; -EINTR: a signal, or a silent pipe: call
 * again.  Dies without memory. */
static inline int inputs_next(struct inputs *i, struct event **ev)
{
	return i->dump ? stream_next(i->dump, ev) : inputs_next_dumped(i, ev);
}

/* reads on in another thread, where that is possible */
void inputs_read_ahead(struct inputs *i);

void inputs_close(struct inputs *i);

#endif
