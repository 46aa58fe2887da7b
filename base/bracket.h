/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A tournament tree of numbered players: the earliest time wins, among equals
 * the least stamp.  A player's new time costs one comparison for each level.
 */
#ifndef BASE_BRACKET_H
#define BASE_BRACKET_H

#include <stdint.h>

#include "base/hint.h"

struct bracket {
	uint64_t *times, *stamps;	/* per player */
	uint32_t *winner;	/* [1] of all; [i] of 2i and 2i + 1 */
	uint32_t size;		/* leaves: a power of two */
};

/* time and stamp of a player that is out */
#define BRACKET_OUT UINT64_MAX

/* all players are out; 0 or -ENOMEM */
int bracket_init(struct bracket *b, uint32_t players);
void bracket_free(struct bracket *b);

/* the first of two with the same time */
static inline uint32_t bracket_first(const struct bracket *b, uint32_t one,
				     uint32_t other)
{
	return b->stamps[one] < b->stamps[other] ? one : other;
}

/*
 * Sets a player's time and stamp; returns the winner.  Matches are
 * unpredictable, so they have no branch except for equal times, which are rare.
 */
static inline uint32_t bracket_set(struct bracket *b, uint32_t player,
				   uint64_t time, uint64_t stamp)
{
	uint32_t best = player;

	b->times[player] = time;
	b->stamps[player] = stamp;
	for (uint32_t i = b->size + player; i > 1; i /= 2) {
		uint32_t other = b->winner[i ^ 1];
		uint64_t its = b->times[other];

		if (UNLIKELY(its == time)) {
			best = bracket_first(b, other, best);
		} else {
			best = its < time ? other : best;
			time = its < time ? its : time;
		}
		b->winner[i / 2] = best;
	}
	return best;
}

/* The earliest time of all but the winner, which need not be set while its next
 * time is not later. */
static inline uint64_t bracket_runner_up(const struct bracket *b)
{
	uint64_t time = BRACKET_OUT;

	for (uint32_t i = b->size + b->winner[1]; i > 1; i /= 2) {
		uint64_t other = b->times[b->winner[i ^ 1]];

		time = other < time ? other : time;
	}
	return time;
}

static inline uint32_t bracket_winner(const struct bracket *b)
{
	return b->winner[1];
}

#endif
