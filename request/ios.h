/* SPDX-License-Identifier: GPL-2.0-only */
/* The I/Os of a trace: a reader and a joiner in one. */
#ifndef REQUEST_IOS_H
#define REQUEST_IOS_H

#include <stdbool.h>
#include <stdint.h>

struct device;			/* run/device.h */
struct event;			/* record/record.h */
struct io;			/* request/io.h */
struct ios;
struct joiner_counts;		/* request/joiner.h */
struct level_watcher;		/* request/level_watcher.h */
struct reader;			/* run/reader.h */
struct reader_options;

/* 0 and *s, or -ENOMEM.  Of the options' window only the end is used, as
 * joining needs all events before.  Its gap is set here. */
int ios_open(struct ios **s, const struct reader_options *o);

/* as joiner_want_seeks(); as joiner_watch_levels(), w is copied and needs no now */
int ios_want_seeks(struct ios *s);
int ios_watch_levels(struct ios *s, const struct level_watcher *w);

/* Accepts events that no kernel writes but some programs do: where a D has
 * neither category FS nor PC, a C without them is a request's, not a bio's. */
void ios_want_unmarked(struct ios *s);

/*
 * Calls lost() where records are missing, with the times of the last record
 * before and the first after, of any CPU; once if several CPUs miss some.
 * Before the first ios_next().
 */
void ios_watch_gaps(struct ios *s, void (*lost)(void *ctx, uint64_t from,
						uint64_t to), void *ctx);

/* Calls ghost() with each unmatched completion with data (JOINER_GHOST_C),
 * which is in no record.  Before the first ios_next(). */
void ios_watch_ghosts(struct ios *s, void (*ghost)(void *ctx,
						   const struct event *ev),
		      void *ctx);

/* sees all events; see ios_watch_events() */
struct ios_watcher {
	/* each event before it is joined, as the reader returned it */
	void (*event)(void *ctx, const struct event *ev);
	/* as reader_options has it */
	void (*gap)(void *ctx, uint16_t origin, uint32_t device, bool begins);
	void *ctx;
};

/*
 * Reports all events to w, which must stay valid; before the first ios_next().
 */
void ios_watch_events(struct ios *s, const struct ios_watcher *w);

/* The same of messages only, which costs next to nothing. */
void ios_watch_messages(struct ios *s, const struct ios_watcher *w);

/*
 * From now on the end of what was read is not the trace's: ios_next() returns 0
 * there, and I/Os stay open, until ios_continue() or ios_finish().
 */
void ios_hold_open(struct ios *s);

/* as reader_continue() */
int ios_continue(struct ios *s, const char *segment, unsigned int before);

/* The trace has ended: ios_next() returns what is still open. */
void ios_finish(struct ios *s);

/* as joiner_ids() and joiner_count_from() */
uint64_t ios_ids(const struct ios *s);
void ios_count_from(struct ios *s, uint64_t latest);

/* takes names before the first ios_next(), and answers queries */
struct reader *ios_reader(const struct ios *s);

/* 1: *io is the next record, in order of ends, valid until the next call.  Else
 * as reader_next(): 0 at the end, -EAGAIN, -EINTR, -errno. */
int ios_next(struct ios *s, const struct io **io);

/*
 * From now on up to three threads read, join and take what ios_next() returns; 2:
 * one reads and joins.  All comes as with one, but what is called for remarks,
 * damage, gaps and messages may be called in another thread, while ios_next()
 * waits; and of the functions below only ios_time() and ios_oldest() may be asked
 * before the end.  0; -ENOTSUP: not with what is watched, with pipes, or before the
 * first event; or -errno: no thread.
 */
int ios_read_ahead(struct ios *s, unsigned int threads);

/* Reading is to end early.  Whether ios_next() still has I/Os that were joined
 * ahead: take them, until it returns another value than 1. */
bool ios_stop_ahead(struct ios *s);

/* as reader_progress() */
void ios_progress(const struct ios *s, uint64_t *done, uint64_t *total);

/* events read so far, and the latest time in ns */
uint64_t ios_events(const struct ios *s);
uint64_t ios_time(const struct ios *s);

/*
 * End of the part read, ns: from seals or the card, else the last event; or the
 * end of the window if the trace continues.  The ages of open I/Os end there.
 */
uint64_t ios_end(const struct ios *s);

/* as joiner_oldest() and joiner_settled() */
uint64_t ios_oldest(const struct ios *s);
uint64_t ios_settled(const struct ios *s);

/* the I/Os open now, as joiner_open() */
bool ios_open_now(const struct ios *s, uint32_t *at, const struct io **io);

const struct joiner_counts *ios_counts(const struct ios *s);

/* as joiner_ghosts() */
uint64_t ios_ghosts(const struct ios *s, const struct device *disk);

/* frees s with its reader; NULL is fine */
void ios_close(struct ios *s);

#endif
