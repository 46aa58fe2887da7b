/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A tournament among numbered players: each has a time, the earliest wins;
 * among equals the least stamp.  When a player's time changes, its matches on
 * the way up are played again, one comparison a round, whatever the others
 * are: the cost grows with the logarithm of the number of players.
 */
#ifndef BASE_BRACKET_H
#define BASE_BRACKET_H

#include <stdint.h>

#include "base/hint.h"

struct bracket {
	uint64_t *times, *stamps;	/* per player */
	uint32_t *winner;	/* [1] of all; [i] of its two below, 2i, 2i+1 */
	uint32_t size;		/* leaves: a power of two */
};

/* both time and stamp of a player that is out: nothing comes after it */
#define BRACKET_OUT UINT64_MAX

/* all players out; 0, or -ENOMEM */
int bracket_init(struct bracket *b, uint32_t players);
void bracket_free(struct bracket *b);

/* which of two with the same time is first */
static inline uint32_t bracket_first(const struct bracket *b, uint32_t one,
				     uint32_t other)
{
	return b->stamps[one] < b->stamps[other] ? one : other;
}

/*
 * player now has this time and stamp.  Who wins a match is not foreseeable, so
 * there is no branch on it; that two times are equal is rare.  Returns the
 * winner of all.
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

/*
 * The earliest time among all but the winner: as long as the winner's next is
 * not later, it wins again and need not be set.
 */
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
