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

struct event;			/* record/record.h */
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
