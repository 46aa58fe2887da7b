/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Events that a thread reads and merges ahead of their reader, with the notes and
 * accounts of files that come between them.  The reader gets all in the order in
 * which it would have come without the thread.
 */
#ifndef RUN_READ_AHEAD_H
#define RUN_READ_AHEAD_H

#include <stdbool.h>
#include <stdint.h>

#include "record/record.h"

struct batch;			/* file/batch.h */
struct hooks;			/* file/hooks.h */
struct input;			/* run/input.h */
struct lane_end;		/* file/stream.h */
struct read_ahead;

struct ahead_slot {
	struct event ev;
	/* where the lane changes, of the one before: as input_front() */
	uint32_t sequence;
	bool counts;
	uint8_t what;		/* enum ahead_what of read_ahead.c */
} __attribute__((aligned(16)));

/* How the thread reads.  Nothing else may until it has ended. */
struct ahead_way {
	/* as input_next(), and input_batch() */
	int (*next)(void *ctx, struct event **ev);
	struct batch *(*batch)(void *ctx);
	/* as input_front() */
	bool (*front)(void *ctx, const struct lane *lane, uint32_t *sequence);
	/* as input_progress() */
	void (*progress)(void *ctx, uint64_t *done, uint64_t *total);
	void *ctx;
	const struct lane *last;	/* of the last event, or NULL */
};

/* Starts the thread; hooks gets the notes, in the reader's.  0; -ENOMEM, -EAGAIN:
 * no thread. */
int read_ahead_new(struct read_ahead **a, const struct ahead_way *way,
		   const struct hooks *hooks);

/*
 * 1: *slot is the next event's, valid until the next call.  Else the thread has
 * ended: 0 or -errno as way->next() returned; -ECANCELED: it was stopped,
 * or would have had to settle too often.
 */
int read_ahead_next(struct read_ahead *a, struct ahead_slot **slot);

/* how far it has come, at the last event */
void read_ahead_progress(const struct read_ahead *a, uint64_t *done,
			 uint64_t *total);

/* The thread is to read no more; read_ahead_next() returns what it has read. */
void read_ahead_stop(struct read_ahead *a);

/* --- in the thread */

/* puts a note between events */
void read_ahead_note(struct read_ahead *a, const struct event *note);

/* puts *to = *now between events */
void read_ahead_account(struct read_ahead *a, struct lane_end *to,
			const struct lane_end *now);

/* Waits until the reader has taken all and waits: the caller may then change what
 * the reader uses, up to the next event.  false: it takes no more. */
bool read_ahead_settle(struct read_ahead *a);

/* ends the thread; NULL is fine */
void read_ahead_free(struct read_ahead *a);

#endif
