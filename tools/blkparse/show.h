/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One event's way through blkparse: filter, window, requests, statistics,
 * text, dump; and the summary behind them all.
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

/* Opens the outputs that *o names; dies when it cannot. */
struct show *show_new(const struct options *o, bool from_pipe);

/* a note, when it is read */
void show_note(struct show *s, const struct event *note);

/* the line that a file has been added */
void show_added(struct show *s, const char *file);

enum show_result {
	SHOW_ON,		/* go on */
	SHOW_BEFORE,		/* it lies before the window's start */
	SHOW_BEHIND,		/* it lies behind the window's end */
	SHOW_STOP,		/* the text cannot be written any more */
};

/*
 * An event in time order, its lane set; and, as long as the answer is to go on,
 * some of those that follow it in its batch.
 */
enum show_result show_events(struct show *s, struct event *ev,
			     struct batch *batch);

/* times are counted from there, not from the first event that is shown */
void show_begin_at(struct show *s, uint64_t time);

/* whether a time, on the clock of events, lies behind the window's end */
bool show_is_behind(const struct show *s, uint64_t time);

/*
 * Once an event has come: the first one's time, and from when on events are
 * wanted, on the clock of events.  false: all are wanted, as a dump gets notes
 * with the events between which they stand.
 */
bool show_window(const struct show *s, uint64_t *first, uint64_t *start);

/* writes out what waits in buffers; false: the text takes no more */
bool show_flush(struct show *s);

/* the summary and what else comes last */
void show_end(struct show *s, const struct devices *devices);

/* without events or summary: only the lines about files added so far */
void show_abandon(struct show *s);

/* frees s; true: everything went well */
bool show_free(struct show *s);

#endif
