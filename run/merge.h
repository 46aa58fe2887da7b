/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Time order over many sources of events.
 *
 * Each player hands out its own events in its own order, which is kept; the
 * merge always takes the player whose front event is the earliest.
 *
 * 1.3.0: among equals the one that moved last goes first; where the first
 * events are equal, line_up() of merge.c has the order.  Scripts see it.
 */
#ifndef RUN_MERGE_H
#define RUN_MERGE_H

#include <stdint.h>

struct batch;			/* file/batch.h */
struct event;			/* record/record.h */
struct merge;

struct player {
	/* as stream_next(): 1 and *ev; 0: end; or -errno, asked again later */
	int (*next)(void *self, struct event **ev);
	void *self;		/* stays the caller's */
	struct batch *batch;	/* what next() would hand out, to be taken from
				 * there instead; or NULL */
};

/* NULL: out of memory */
struct merge *merge_new(void);

/* one more player, before the first merge_next(); 0 or -ENOMEM */
int merge_add(struct merge *m, struct player p);

/*
 * 1: *ev is the earliest event, good until the next call; 0: all have ended;
 * else what the player that is due has answered, such as -EINTR, or -ENOMEM.
 */
int merge_next(struct merge *m, struct event **ev);

/*
 * What the last event's player has, for batch_follow(), which hands out what
 * merge_next() would, as long as it has one.  Good until the next merge_next().
 */
struct batch *merge_batch(const struct merge *m);

/*
 * The event that a player, by its number from 0 in the order of merge_add(),
 * will hand out next, good until the next merge_next().  Asked only of players
 * other than the one of the last event.  NULL: it has ended, or nothing has
 * been read yet.
 */
const struct event *merge_front(const struct merge *m, uint32_t player);

/* the player of the last event, once there has been one */
uint32_t merge_last(const struct merge *m);

/*
 * A player has gone on by itself and its front is another now, NULL if it has
 * ended; it is the last that has moved.  The last event's player goes on by
 * itself as the last of all that do.
 */
void merge_move(struct merge *m, uint32_t player, struct event *front);

/* frees m, not what its players stand for; NULL is fine */
void merge_free(struct merge *m);

#endif
