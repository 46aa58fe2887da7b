/* SPDX-License-Identifier: GPL-2.0-only */
/* I/Os put back into order of birth; see turns.h. */
#include <errno.h>
#include <stdlib.h>

#include "base/hint.h"
#include "emit/perfetto/turns.h"

/* a place's turn; from TURN on a number in the pool plus TURN */
enum { EMPTY, LEFT_OUT, TURN };

int turns_init(struct turns *t)
{
	*t = (struct turns){ .pool = { .item_size = sizeof(struct turn) },
			     .first = 1, .out = POOL_NONE, .late = POOL_NONE };
	t->places = calloc(TURNS_WINDOW, sizeof(*t->places));
	return t->places ? 0 : -ENOMEM;
}

void turns_free(struct turns *t)
{
	pool_free(&t->pool);
	free(t->places);
	t->places = NULL;
}

static inline struct turns_place *place_of(struct turns *t, uint64_t id)
{
	return &t->places[id % TURNS_WINDOW];
}

void turns_announce(struct turns *t, uint64_t id)
{
	if (UNLIKELY(id >= t->first && id - t->first >= TURNS_WINDOW))
		t->until = id - TURNS_WINDOW + 1;
}

void turns_end(struct turns *t)
{
	t->until = UINT64_MAX;
}

/* links it to its parent, unless the parent has had its turn */
static void join_siblings(struct turns *t, struct turn *turn, uint32_t number)
{
	uint64_t parent = turn->io.parent;
	struct turns_place *place = place_of(t, parent);

	if (parent < t->first || parent >= turn->io.id)
		return;
	turn->sibling = place->child - 1;
	place->child = number + 1;
	place->children++;
}

struct turn *turns_add(struct turns *t, const struct io *io)
{
	uint32_t number = pool_add(&t->pool);
	struct turn *turn;

	if (UNLIKELY(number == POOL_NONE))
		return NULL;
	turn = pool_get(&t->pool, number);
	turn->io = *io;
	turn->child = turn->sibling = POOL_NONE;
	turn->children = 0;
	if (UNLIKELY(io->id < t->first)) {
		t->late = number;
		return turn;
	}
	place_of(t, io->id)->turn = TURN + number;
	t->count++;
	if (io->parent)
		join_siblings(t, turn, number);
	return turn;
}

void turns_leave_out(struct turns *t, uint64_t id)
{
	if (LIKELY(id >= t->first))
		place_of(t, id)->turn = LEFT_OUT;
}

/* frees the one handed out */
static inline void take_back(struct turns *t)
{
	if (t->out != POOL_NONE)
		pool_remove(&t->pool, t->out);
	t->out = POOL_NONE;
}

static inline const struct turn *hand_out(struct turns *t, uint32_t number)
{
	t->out = number;
	return pool_get(&t->pool, number);
}

static COLD const struct turn *hand_out_late(struct turns *t)
{
	uint32_t number = t->late;

	t->late = POOL_NONE;
	return hand_out(t, number);
}

static inline const struct turn *call(struct turns *t,
				      const struct turns_place *place)
{
	uint32_t number = place->turn - TURN;
	struct turn *turn = pool_get(&t->pool, number);

	turn->child = place->child - 1;
	turn->children = place->children;
	t->count--;
	return hand_out(t, number);
}

const struct turn *turns_next(struct turns *t)
{
	take_back(t);
	if (UNLIKELY(t->late != POOL_NONE))
		return hand_out_late(t);
	for (;;) {
		struct turns_place *place = place_of(t, t->first);
		struct turns_place was = *place;

		if (was.turn == EMPTY && t->first >= t->until)
			return NULL;
		if (UNLIKELY(!t->count && t->until == UINT64_MAX))
			return NULL;
		*place = (struct turns_place){ EMPTY, 0, 0 };
		t->first++;
		if (was.turn >= TURN)
			return call(t, &was);
	}
}
