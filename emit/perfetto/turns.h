/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * I/Os put back into order of birth: they come in order of their ends, and wait
 * until all older ones have come.
 *
 * Ids count from 1 without gaps, so an I/O that is left out must be reported.
 * One that 32,767 younger ones have overtaken is not waited for, and has its
 * turn when it comes.  So at most 32,767 wait, in up to 14 MiB.
 *
 * At its turn, the I/Os whose parent it is are known, unless it is late.
 */
#ifndef EMIT_PERFETTO_TURNS_H
#define EMIT_PERFETTO_TURNS_H

#include <stdint.h>

#include "base/pool.h"
#include "request/io.h"

enum { TURNS_WINDOW = 32768 };

/* a waiting I/O */
struct turn {
	struct io io;
	/* the caller's */
	uint32_t device, process, flags, ended;
	/* a child, the number of children, and the next child of its parent:
	 * child and sibling are numbers in the pool, or POOL_NONE */
	uint32_t child, children, sibling;
};

struct turns_place {
	uint32_t turn;		/* in the pool, as in turns.c */
	uint32_t child, children;	/* child: its number plus 1, or 0 */
};

struct turns {
	struct pool pool;
	struct turns_place *places;	/* by id, modulo the window */
	uint64_t first;		/* the lowest id that has not had its turn */
	uint64_t until;		/* lower ids are not waited for */
	uint32_t out;		/* handed out, or POOL_NONE */
	uint32_t late;		/* the next to hand out, or POOL_NONE */
	uint32_t count;		/* that wait in places */
};

/* 0, or -ENOMEM */
int turns_init(struct turns *t);
void turns_free(struct turns *t);

/*
 * Announces the next I/O to be added or left out.  The caller then calls
 * turns_next() until it returns NULL, and then turns_add() or
 * turns_leave_out().
 */
void turns_announce(struct turns *t, uint64_t id);

/* adds a copy of *io; the caller fills its members.  NULL: no memory */
struct turn *turns_add(struct turns *t, const struct io *io);

/* reports that the I/O will not come */
void turns_leave_out(struct turns *t, uint64_t id);

/* reports that none will come */
void turns_end(struct turns *t);

/* the I/O whose turn it is, until the next call of any of these; NULL: it has
 * not come */
const struct turn *turns_next(struct turns *t);

/* a child of an I/O by its number, in no order; NULL: no more */
static inline const struct turn *turns_child(const struct turns *t,
					     uint32_t number)
{
	return number == POOL_NONE ? NULL : pool_get(&t->pool, number);
}

#endif
