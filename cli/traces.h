/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads the traces named on a command line, as I/Os or as events, with the
 * progress line, and reports errors, damage and remarks.
 */
#ifndef CLI_TRACES_H
#define CLI_TRACES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cli/reading.h"
#include "run/window.h"

struct damage;			/* file/hooks.h */
struct event;			/* record/record.h */
struct host_wishes;		/* run/host_clocks.h */
struct io;			/* request/io.h */
struct ios;			/* request/ios.h */
struct reader;			/* run/reader.h */

struct traces_options {
	const char *directory;	/* prepended to names; or NULL */
	const char *const *names;
	size_t count;
	struct window window;	/* as in reader_options */
	int quiet_ms;		/* silence of a pipe; 0: half a second */
	int wait_ms;		/* longest wait for a pipe; 0: no limit */
	bool progress;		/* show the progress line */
	bool events;		/* read events, not I/Os */
	bool seeks;		/* I/Os have seek */
	bool has_zero;		/* as in reader_options */
	uint64_t zero;
	bool quiet;		/* do not report damage */
	bool unmarked;		/* as ios_want_unmarked() */
	void (*idle)(void *ctx);	/* before waiting for a pipe; or NULL */
	/* damage, after it was reported; or NULL */
	void (*damage)(void *ctx, const struct damage *d);
	void *ctx;
	const struct host_wishes *hosts;	/* as in reader_options */
	/* I/Os may be joined ahead, as ios_read_ahead() has it, in that many
	 * threads, as --threads has it */
	bool ahead;
	unsigned int threads;
};

struct traces {
	struct ios *ios;	/* NULL: events are read */
	struct reader *reader;	/* of the ios, or by itself */
	struct reading reading;
	/* the options': */
	void (*idle)(void *ctx);
	void (*damage)(void *ctx, const struct damage *d);
	void *ctx;
	const char *directory;
	unsigned int threads;
	bool ahead;		/* threads may be started */
	bool quiet;
	bool damaged;
};

/* Opens all names of *o, which is copied; *t must not move.  false: failed and
 * reported, nothing is open. */
bool traces_open(struct traces *t, const struct traces_options *o);

/*
 * 1: *io is the next, valid until the next call; 0: the end; -EAGAIN: a pipe is
 * silent; -EINTR: call again.  Any other -errno was reported and ends the
 * reading.
 */
int traces_next_io(struct traces *t, const struct io **io);

/* When reading ends early: whether there are I/Os that were joined ahead, which
 * traces_next_io() still returns, and must be taken. */
bool traces_left(struct traces *t);

/* the same of events in the window */
int traces_next_event(struct traces *t, const struct event **ev);

/* keeps damaged; may be called twice */
void traces_close(struct traces *t);

#endif
