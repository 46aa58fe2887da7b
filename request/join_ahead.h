/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * I/Os that a thread joins ahead of who takes them, each with what ios.h tells of
 * the moment at which it was joined.
 */
#ifndef REQUEST_JOIN_AHEAD_H
#define REQUEST_JOIN_AHEAD_H

#include <stdbool.h>
#include <stdint.h>

#include "request/io.h"

struct event;			/* record/record.h */
struct join_ahead;

struct joined {
	struct io io;
	uint64_t time, oldest;	/* as ios_time() and ios_oldest() */
} __attribute__((aligned(16)));

/* how the thread joins */
struct join_way {
	/* before the first: all are to be made at next */
	void (*begin)(void *ctx, struct joined *next);
	/* 1: it was; else as ios_next() */
	int (*next)(void *ctx, struct joined *next);
	/* as reader_progress() */
	void (*progress)(void *ctx, uint64_t *done, uint64_t *total);
	/* what join_ahead_message() put between I/Os, when they are taken */
	void (*message)(void *ctx, const struct event *ev);
	void *ctx;
};

/* Starts the thread.  0; -ENOMEM, -EAGAIN: no thread. */
int join_ahead_new(struct join_ahead **a, const struct join_way *way);

/*
 * 1: *joined is the next, valid until the next call.  Else the thread has ended:
 * 0 or -errno as way->next() returned; -ECANCELED: it was stopped, or
 * would have had to settle too often.
 */
int join_ahead_next(struct join_ahead *a, const struct joined **joined);

/* how far it had come with the last I/O */
void join_ahead_progress(const struct join_ahead *a, uint64_t *done,
			 uint64_t *total);

/* The thread is to join no more; join_ahead_next() returns what is joined. */
void join_ahead_stop(struct join_ahead *a);

/* In way->next(): puts a message between I/Os. */
void join_ahead_message(struct join_ahead *a, const struct event *ev);

/* In way->next(): waits until all I/Os are taken; the caller may then change what
 * their taker looks at, up to the next I/O.  false: no more are taken. */
bool join_ahead_settle(struct join_ahead *a);

/* ends the thread; NULL is fine */
void join_ahead_free(struct join_ahead *a);

#endif
