/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Ios put back into the order in which they were born: they come in that of
 * their ends, and wait until all that are older have come.
 *
 * Ids count from 1 without gaps, so that one that is left out has to be told,
 * too.  An io that 32,767 younger ones have overtaken is not waited for: it
 * gets its turn as soon as it comes.  So at most 32,767 wait, which is 14 MiB;
 * memory is only taken for as many as ever did.
 *
 * For each io the ones below it, of which it is the parent, are known when it
 * has its turn: those that have come, unless it was too late.
 */
#ifndef EMIT_PERFETTO_TURNS_H
#define EMIT_PERFETTO_TURNS_H

#include <stdint.h>

#include "base/pool.h"
#include "request/io.h"

enum { TURNS_WINDOW = 32768 };

/* one that waits */
struct turn {
	struct io io;
	/* the caller's */
	uint32_t device, process, flags, ended;
	/* of its children one, how many they are, and the next of its own
	 * parent: numbers in turns.c's pool, or POOL_NONE */
	uint32_t child, children, sibling;
};

struct turns_place {
	uint32_t turn;		/* in the pool, or what turns.c says */
	uint32_t child, children;	/* so far; one plus its number, or 0 */
};

struct turns {
	struct pool pool;
	struct turns_place *places;	/* by id, modulo the window */
	uint64_t first;		/* the least id that has not had its turn */
	uint64_t until;		/* those below are not waited for */
	uint32_t out;		/* handed out, or POOL_NONE */
	uint32_t late;		/* to be handed out before all, the same */
	uint32_t count;		/* that wait in places */
};

/* 0, or -ENOMEM */
int turns_init(struct turns *t);
void turns_free(struct turns *t);

/*
 * The io of that id is the next to be added or left out.  Then turns_next() is
 * called until there is none, and then one of the two below.
 */
void turns_announce(struct turns *t, uint64_t id);

/* *io, copied, waits; the caller's part of it is to be filled.  NULL: no
 * memory. */
struct turn *turns_add(struct turns *t, const struct io *io);

/* the io of that id will not come */
void turns_leave_out(struct turns *t, uint64_t id);

/* nothing more comes: none of those that have not come is waited for */
void turns_end(struct turns *t);

/* the io whose turn it is, good until the next call of any of these; NULL: it
 * has not come */
const struct turn *turns_next(struct turns *t);

/* its children, one after the other, in no order; NULL: none, or no more */
static inline const struct turn *turns_child(const struct turns *t,
					     uint32_t number)
{
	return number == POOL_NONE ? NULL : pool_get(&t->pool, number);
}

#endif
