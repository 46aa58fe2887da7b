/*
 * A tournament among numbered players: each holds a key, the least wins.
 * When a player's key changes, its matches on the way up are played again,
 * one comparison a round, whatever the other keys are.  That makes it dearer
 * than nothing for 2 players and cheap for 256.
 */
#ifndef BASE_BRACKET_H
#define BASE_BRACKET_H

#include <stdint.h>

#include "base/order.h"

struct bracket {
	struct order *keys;	/* per player */
	uint32_t *winner;	/* [1] of all; [i] of its two below, 2i, 2i+1 */
	uint32_t size;		/* leaves: a power of two */
};

/* the key of a player that is out: nothing comes after it */
#define BRACKET_OUT ((struct order){ UINT64_MAX, UINT64_MAX, UINT64_MAX })

/* all players out; 0, or -ENOMEM */
int bracket_init(struct bracket *b, uint32_t players);
void bracket_free(struct bracket *b);

/* player's key is now key */
static inline void bracket_set(struct bracket *b, uint32_t player,
			       const struct order *key)
{
	uint32_t best = player;

	b->keys[player] = *key;
	for (uint32_t i = b->size + player; i > 1; i /= 2) {
		uint32_t other = b->winner[i ^ 1];

		if (order_before(&b->keys[other], &b->keys[best]))
			best = other;
		b->winner[i / 2] = best;
	}
}

static inline uint32_t bracket_winner(const struct bracket *b)
{
	return b->winner[1];
}

#endif
