/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Shows events: filter, window, requests, statistics, text, dump; and at the
 * end the summary.
 */
#ifndef TOOLS_BLKPARSE_SHOW_H
#define TOOLS_BLKPARSE_SHOW_H

#include <stdbool.h>
#include <stdint.h>

struct batch;			/* file/batch.h */
struct devices;			/* run/device.h */
struct event;			/* record/record.h */
struct options;			/* tools/blkparse/options.h */
struct show;

/* opens the outputs of *o; dies if it cannot */
struct show *show_new(const struct options *o, bool from_pipe);

/* a note, when it is read */
void show_note(struct show *s, const struct event *note);

/* prints that a file was added */
void show_added(struct show *s, const char *file);

enum show_result {
	SHOW_ON,		/* continue */
	SHOW_BEFORE,		/* before the window */
	SHOW_BEHIND,		/* after the window */
	SHOW_STOP,		/* cannot write the text any more */
};

/* an event in time order, with its lane set; and while the result is SHOW_ON,
 * some of the next ones in its batch */
enum show_result show_events(struct show *s, struct event *ev,
			     struct batch *batch);

/* counts times from there, not from the first event shown */
void show_begin_at(struct show *s, uint64_t time);

/* whether a time, on the events' clock, is after the window */
bool show_is_behind(const struct show *s, uint64_t time);

/*
 * After the first event: its time, and the window's start, on the events'
 * clock.  false: needs all events, as a dump has notes between their events.
 */
bool show_window(const struct show *s, uint64_t *first, uint64_t *start);

/* Has a thread write the text, or without text the dump, if that is of use.  Whether
 * there is one. */
bool show_write_behind(struct show *s);

/* writes buffers out; false: the text takes no more */
bool show_flush(struct show *s);

/* prints the summary and all else at the end */
void show_end(struct show *s, const struct devices *devices);

/* prints only the lines about files added so far */
void show_abandon(struct show *s);

/* frees s; true: no failure */
bool show_free(struct show *s);

#endif
