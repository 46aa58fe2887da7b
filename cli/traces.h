/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The traces that names on a command line mean, as joined ios or as the
 * events they are made of, with the line about progress.  A name that means
 * nothing, damage, what cannot be read, and what has to be known of machines
 * and their clocks is reported here.
 */
#ifndef CLI_TRACES_H
#define CLI_TRACES_H

#include <stdbool.h>
#include <stddef.h>

#include "cli/reading.h"
#include "run/window.h"

struct damage;			/* file/hooks.h */
struct event;			/* record/record.h */
struct host_wishes;		/* run/host_clocks.h */
struct io;			/* request/io.h */
struct ios;			/* request/ios.h */
struct reader;			/* run/reader.h */

struct traces_options {
	const char *directory;	/* put in front of names; NULL: none */
	const char *const *names;
	size_t count;
	struct window window;	/* as reader_options has it */
	int quiet_ms;		/* how soon a pipe is silent; 0: half a second */
	bool progress;		/* the line is wanted */
	bool events;		/* they are, and no ios */
	bool seeks;		/* ios have seek */
	bool quiet;		/* damage is not reported */
	bool unmarked;		/* as ios_want_unmarked() */
	/* a pipe is going to be waited for; or NULL */
	void (*idle)(void *ctx);
	/* what is damaged, when it has been reported; or NULL */
	void (*damage)(void *ctx, const struct damage *d);
	void *ctx;
	/* of several machines, as reader_options has it; or NULL */
	const struct host_wishes *hosts;
};

struct traces {
	struct ios *ios;	/* NULL: events are read */
	struct reader *reader;	/* of the ios, or by itself */
	struct reading reading;
	void (*idle)(void *ctx);	/* the options' */
	void (*damage)(void *ctx, const struct damage *d);	/* the same */
	void *ctx;
	bool quiet;
	bool damaged;
};

/*
 * Opens all names of *o, which need not stay; *t stays where it is.  Whether
 * that could be done; else it has been reported, and nothing is open.
 */
bool traces_open(struct traces *t, const struct traces_options *o);

/*
 * 1: *io is the next, good until the next call; 0: the end; -EAGAIN: a pipe is
 * silent; -EINTR: call again.  Any other -errno has been reported, and nothing
 * more can be read.
 */
int traces_next_io(struct traces *t, const struct io **io);

/* the same of events, those of the window */
int traces_next_event(struct traces *t, const struct event **ev);

/* no more is read; damaged stays.  One that is closed is fine. */
void traces_close(struct traces *t);

#endif
