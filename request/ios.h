/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The ios of a trace: a reader and a joiner as one.
 */
#ifndef REQUEST_IOS_H
#define REQUEST_IOS_H

#include <stdbool.h>
#include <stdint.h>

struct device;			/* run/device.h */
struct event;			/* record/record.h */
struct io;			/* request/io.h */
struct ios;
struct joiner_counts;		/* request/joiner.h */
struct reader;			/* run/reader.h */
struct reader_options;

/*
 * 0 and *s, or -ENOMEM.  Of the options' window the end counts: joining needs
 * all that was before.  Its gap is ours, and need not be set.
 */
int ios_open(struct ios **s, const struct reader_options *o);

/* as joiner_want_seeks() */
int ios_want_seeks(struct ios *s);

/*
 * From now on what no kernel writes, but programs that make traces do, is taken
 * for what it means: where a D has neither the category FS nor PC, a C without
 * them is a request's, and no bio's.
 */
void ios_want_unmarked(struct ios *s);

/*
 * Calls lost() where records are missing: from the time of the last one before
 * them to that of the next behind them, of any CPU; once where several CPUs
 * miss some.  Before the first ios_next().
 */
void ios_watch_gaps(struct ios *s, void (*lost)(void *ctx, uint64_t from,
						uint64_t to), void *ctx);

/*
 * Calls ghost() with each C of data of which nothing else was seen, so that it
 * is in no record: a JOINER_GHOST_C.  Before the first ios_next().
 */
void ios_watch_ghosts(struct ios *s, void (*ghost)(void *ctx,
						   const struct event *ev),
		      void *ctx);

/* for whom joining is not enough; see ios_watch_events() */
struct ios_watcher {
	/* each event, as the reader had it, before it is joined */
	void (*event)(void *ctx, const struct event *ev);
	/* as reader_options has it */
	void (*gap)(void *ctx, uint16_t origin, uint32_t device, bool begins);
	void *ctx;
};

/* All that is joined is told to w, which stays; before the first ios_next(). */
void ios_watch_events(struct ios *s, const struct ios_watcher *w);

/* names are added to it before the first ios_next(), and asked of it */
struct reader *ios_reader(const struct ios *s);

/*
 * 1: *io is the next record, in the order in which they end, good until the
 * next call.  Else as reader_next(): 0 the end, -EAGAIN, -EINTR, -errno.
 */
int ios_next(struct ios *s, const struct io **io);

/* events read so far, and the time of the latest in ns */
uint64_t ios_events(const struct ios *s);
uint64_t ios_time(const struct ios *s);

/*
 * When what is read of the trace ended, ns: by its seals or card, else at its
 * last event; or the end of the window if it goes on after that.  What is open
 * is as old as that.
 */
uint64_t ios_end(const struct ios *s);

/* as joiner_oldest() and joiner_settled() */
uint64_t ios_oldest(const struct ios *s);
uint64_t ios_settled(const struct ios *s);

/* the ios that are open now, as joiner_open() */
bool ios_open_now(const struct ios *s, uint32_t *at, const struct io **io);

const struct joiner_counts *ios_counts(const struct ios *s);

/* as joiner_ghosts() */
uint64_t ios_ghosts(const struct ios *s, const struct device *disk);

/* frees s with its reader; NULL is fine */
void ios_close(struct ios *s);

#endif
