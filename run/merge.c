/* SPDX-License-Identifier: GPL-2.0-only */
/* Merges sources of events by time; see merge.h. */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/bracket.h"
#include "base/hint.h"
#include "file/batch.h"
#include "record/record.h"
#include "run/merge.h"

struct entry {
	struct player player;
	struct event *front;	/* its next event; NULL: ended */
};

struct merge {
	struct merge_top top;
	struct entry *entries;
	uint32_t count;
	size_t size;
	bool primed;
	uint32_t to_prime;	/* players before it have their first event */
	bool moved;		/* the winner's event was shown */
	uint32_t winner;
	struct entry *entry;	/* the winner's */
	uint64_t stamp;		/* falls, as the least key wins */
	struct batch none;	/* of players without a batch */
	struct bracket bracket;
};

struct merge *merge_new(void)
{
	struct merge *m = calloc(1, sizeof(*m));

	if (m)
		m->top.batch = &m->none;
	return m;
}

void merge_free(struct merge *m)
{
	if (!m)
		return;
	bracket_free(&m->bracket);
	free(m->entries);
	free(m);
}

int merge_add(struct merge *m, struct player p)
{
	struct entry *entries = array_reserve(m->entries, m->count, &m->size,
					      16, sizeof(*entries));

	if (!entries)
		return -ENOMEM;
	m->entries = entries;
	if (!p.batch)
		p.batch = &m->none;
	m->entries[m->count++] = (struct entry){ .player = p };
	return 0;
}

/* Version 2 has unrelated clocks per CPU, but common numbers. */
static uint64_t when(const struct event *ev)
{
	return ev->version == 2 ? ev->sequence : ev->time;
}

/*
 * 1.3.0: each player in turn goes to the head if it is earlier than the head,
 * else after the adjacent players that are earlier than it.  order[] gets the
 * players, next first; returns their number.
 */
static uint32_t line_up(const struct merge *m, uint32_t *order)
{
	const struct entry *all = m->entries;
	uint32_t lined = 0, at;

	for (uint32_t p = 0; p < m->count; p++) {
		if (!all[p].front)
			continue;
		at = lined && when(all[p].front) >= when(all[order[0]].front);
		while (at && at < lined &&
		       when(all[order[at]].front) < when(all[p].front))
			at++;
		for (uint32_t i = lined++; i > at; i--)
			order[i] = order[i - 1];
		order[at] = p;
	}
	return lined;
}

/* Stamps fall: among equal times the player that moved last wins. */
static INLINED uint32_t
enter(struct merge *m, uint32_t player, uint64_t time)
{
	return bracket_set(&m->bracket, player, time, m->stamp--);
}

static uint32_t leave(struct merge *m, uint32_t player)
{
	return bracket_set(&m->bracket, player, BRACKET_OUT, BRACKET_OUT);
}

static inline void set_winner(struct merge *m, uint32_t winner)
{
	m->winner = winner;
	m->entry = &m->entries[winner];
}

/* Gets every player's first event; call again after an error. */
static COLD int prime(struct merge *m)
{
	uint32_t *order, lined;

	if (!m->bracket.size && bracket_init(&m->bracket, m->count))
		return -ENOMEM;
	for (; m->to_prime < m->count; m->to_prime++) {
		struct entry *e = &m->entries[m->to_prime];
		int got = e->player.next(e->player.self, &e->front);

		if (got < 0)
			return got;
		if (got == 0)
			e->front = NULL;
	}
	order = malloc((m->count + 1) * sizeof(*order));
	if (!order)
		return -ENOMEM;
	lined = line_up(m, order);
	m->stamp = UINT64_MAX - 1;
	while (lined--)
		enter(m, order[lined], when(m->entries[order[lined]].front));
	free(order);
	m->primed = true;
	set_winner(m, bracket_winner(&m->bracket));
	return 0;
}

/* Shows the winner's event; 0: it has none, as all have ended. */
static inline int show(struct merge *m, struct event **ev)
{
	*ev = m->entry->front;
	m->top.batch = m->entry->player.batch;
	m->top.batch->limit = bracket_runner_up(&m->bracket);
	m->moved = *ev != NULL;
	return m->moved;
}

/* The winner's next event may be later than another's. */
APART int merge_change(struct merge *m, uint64_t time, struct event **ev)
{
	set_winner(m, enter(m, m->winner, time));
	return show(m, ev);
}

/* The winner has ended. */
static COLD int end(struct merge *m, struct event **ev)
{
	m->entry->front = NULL;
	set_winner(m, leave(m, m->winner));
	return show(m, ev);
}

static COLD int start(struct merge *m, struct event **ev)
{
	int err;

	if (!m->count)
		return 0;
	err = m->primed ? 0 : prime(m);
	return err ? err : show(m, ev);
}

/* Calls the winner's next(). */
APART int merge_ask(struct merge *m, struct event **ev)
{
	struct entry *e = m->entry;
	uint64_t time;
	int got;

	if (UNLIKELY(!m->moved))
		return start(m, ev);
	got = e->player.next(e->player.self, &e->front);
	if (UNLIKELY(got != 1))
		return got < 0 ? got : end(m, ev);
	*ev = e->front;
	time = when(*ev);
	return time <= m->top.batch->limit ? 1 : merge_change(m, time, ev);
}

struct batch *merge_batch(const struct merge *m)
{
	return m->top.batch;
}

const struct event *merge_front(const struct merge *m, uint32_t player)
{
	return m->primed ? m->entries[player].front : NULL;
}

void merge_continue(struct merge *m)
{
	bracket_free(&m->bracket);
	m->bracket = (struct bracket){ .size = 0 };
	m->primed = m->moved = false;
	m->to_prime = 0;
	m->top.batch = &m->none;
}

uint32_t merge_last(const struct merge *m)
{
	return m->winner;
}

void merge_move(struct merge *m, uint32_t player, struct event *front)
{
	uint32_t winner;

	m->entries[player].front = front;
	winner = front ? enter(m, player, when(front)) : leave(m, player);
	if (player != m->winner)
		return;
	set_winner(m, winner);
	m->top.batch = &m->none;
	m->moved = false;
}
