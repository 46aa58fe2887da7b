/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Merges sources of events (players) by time.  Each keeps its own order: the
 * player with the earliest front event is next.
 *
 * 1.3.0: among equal times the player that moved last is next; among equal
 * first events line_up() of merge.c decides.  Scripts depend on that.
 */
#ifndef RUN_MERGE_H
#define RUN_MERGE_H

#include <stdint.h>

#include "base/hint.h"
#include "file/batch.h"

struct merge;

/* with which a struct merge begins, as merge_next() is inline */
struct merge_top {
	struct batch *batch;	/* of the last event's player; one without
				 * records at first */
};

struct player {
	/* as stream_next(): 1 and *ev; 0: end; or -errno: call again */
	int (*next)(void *self, struct event **ev);
	void *self;		/* the caller's */
	struct batch *batch;	/* to take next()'s events from; or NULL */
};

/* NULL: out of memory */
struct merge *merge_new(void);

/* before the first merge_next(), or after merge_continue(); 0 or -ENOMEM */
int merge_add(struct merge *m, struct player p);

/* slow paths of merge_next() */
int merge_ask(struct merge *m, struct event **ev);
int merge_change(struct merge *m, uint64_t time, struct event **ev);

/*
 * 1: *ev is the earliest event, valid until the next call; 0: all have ended;
 * -ENOMEM, or the error of the player that is due, such as -EINTR.
 */
static inline int merge_next(struct merge *m, struct event **ev)
{
	struct batch *b = ((struct merge_top *)m)->batch;
	uint64_t time;

	if (!batch_has(b))
		return merge_ask(m, ev);
	time = batch_time(b);
	batch_take(b);
	*ev = &b->ev;
	return time <= b->limit ? 1 : merge_change(m, time, ev);
}

/*
 * The last event's player's, for batch_follow(), which hands out the same
 * events as merge_next() until it has no more.  Valid until the next
 * merge_next().
 */
struct batch *merge_batch(const struct merge *m);

/*
 * The next event of a player, by its number from 0 in the order of merge_add(),
 * but not of the last event's player.  Valid until the next merge_next().
 * NULL: it has ended, or nothing was read yet.
 */
const struct event *merge_front(const struct merge *m, uint32_t player);

/* the last event's player, after the first event */
uint32_t merge_last(const struct merge *m);

/*
 * A player was advanced from outside, and front is its next event, NULL at its
 * end; counts as the last to move.  Advance the last event's player last.
 */
void merge_move(struct merge *m, uint32_t player, struct event *front);

/* After the end, or before the first event: players may have events again, and
 * more may be added. */
void merge_continue(struct merge *m);

/* frees m, not the players' self; NULL is fine */
void merge_free(struct merge *m);

#endif
