/* SPDX-License-Identifier: GPL-2.0-only */
/* Time order over many sources; see merge.h. */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/bracket.h"
#include "base/hint.h"
#include "trace/merge.h"
#include "trace/record.h"

struct merge {
	struct player *players;
	struct event **fronts;	/* NULL: ended */
	uint32_t count, size;
	bool primed;
	uint32_t to_prime;	/* players before it have their first event */
	bool moved;		/* the last winner's event has been shown */
	uint32_t winner;
	const struct player *player;	/* the winner */
	struct event **front;	/* and its event */
	uint64_t limit;		/* up to this time the winner stays it */
	uint64_t stamp;		/* falls, as the least key goes first */
	struct bracket bracket;
};

struct merge *merge_new(void)
{
	return calloc(1, sizeof(struct merge));
}

void merge_free(struct merge *m)
{
	if (!m)
		return;
	bracket_free(&m->bracket);
	free(m->players);
	free(m->fronts);
	free(m);
}

int merge_add(struct merge *m, struct player p)
{
	if (m->count == m->size) {
		uint32_t size = m->size ? 2 * m->size : 16;
		struct player *players =
			realloc(m->players, size * sizeof(*players));

		if (!players)
			return -ENOMEM;
		m->players = players;
		m->size = size;
	}
	m->players[m->count++] = p;
	return 0;
}

/* The CPU clocks of version 2 cannot be compared, its numbers can. */
static uint64_t when(const struct event *ev)
{
	return ev->version == 2 ? ev->sequence : ev->time;
}

/*
 * 1.3.0: lines the players up so that each in turn becomes the head if it is
 * earlier than the head, else it goes behind all that are earlier than it.
 * order[] gets the players, next to show first; their number is returned.
 */
static uint32_t line_up(const struct merge *m, uint32_t *order)
{
	uint32_t lined = 0, at;

	for (uint32_t p = 0; p < m->count; p++) {
		if (!m->fronts[p])
			continue;
		at = lined && when(m->fronts[p]) >= when(m->fronts[order[0]]);
		while (at && at < lined &&
		       when(m->fronts[order[at]]) < when(m->fronts[p]))
			at++;
		for (uint32_t i = lined++; i > at; i--)
			order[i] = order[i - 1];
		order[at] = p;
	}
	return lined;
}

/* Stamps fall: the player that has moved last goes first among equals. */
static inline __attribute__((always_inline)) void
enter(struct merge *m, uint32_t player)
{
	const struct event *front = m->fronts[player];

	if (front)
		bracket_set(&m->bracket, player, when(front), m->stamp--);
	else
		bracket_set(&m->bracket, player, BRACKET_OUT, BRACKET_OUT);
}

static inline void find_winner(struct merge *m)
{
	m->winner = bracket_winner(&m->bracket);
	m->player = &m->players[m->winner];
	m->front = &m->fronts[m->winner];
	m->limit = bracket_runner_up(&m->bracket);
}

/* Gets every player's first event; can be called again after an error. */
static COLD int prime(struct merge *m)
{
	uint32_t *order, lined;

	if (!m->fronts) {
		m->fronts = calloc(m->count + 1, sizeof(*m->fronts));
		if (!m->fronts || bracket_init(&m->bracket, m->count))
			return -ENOMEM;
	}
	for (; m->to_prime < m->count; m->to_prime++) {
		struct player *p = &m->players[m->to_prime];
		int got = p->next(p->self, &m->fronts[m->to_prime]);

		if (got < 0)
			return got;
		if (got == 0)
			m->fronts[m->to_prime] = NULL;
	}
	order = malloc((m->count + 1) * sizeof(*order));
	if (!order)
		return -ENOMEM;
	lined = line_up(m, order);
	m->stamp = UINT64_MAX - 1;
	while (lined)
		enter(m, order[--lined]);
	free(order);
	m->primed = true;
	find_winner(m);
	return 0;
}

/* The winner's next event is later than another's, or there is none. */
static __attribute__((noinline)) int change(struct merge *m, int got,
					    struct event **ev)
{
	if (!got)
		*m->front = NULL;
	enter(m, m->winner);
	find_winner(m);
	*ev = *m->front;
	m->moved = *ev != NULL;
	return m->moved;
}

/* The first event, or one more try at getting it. */
static COLD int start(struct merge *m, struct event **ev)
{
	int err = m->primed ? 0 : prime(m);

	if (err)
		return err;
	*ev = *m->front;
	m->moved = *ev != NULL;
	return m->moved;
}

int merge_next(struct merge *m, struct event **ev)
{
	int got;

	if (UNLIKELY(!m->moved))
		return start(m, ev);
	got = m->player->next(m->player->self, m->front);
	if (LIKELY(got == 1) && when(*m->front) <= m->limit) {
		*ev = *m->front;
		return 1;
	}
	return got < 0 ? got : change(m, got, ev);
}

const struct event *merge_front(const struct merge *m, uint32_t player)
{
	return m->primed ? m->fronts[player] : NULL;
}

uint32_t merge_last(const struct merge *m)
{
	return m->winner;
}

void merge_move(struct merge *m, uint32_t player, struct event *front)
{
	m->fronts[player] = front;
	enter(m, player);
	if (player != m->winner)
		return;
	find_winner(m);
	m->moved = false;
}
