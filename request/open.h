/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * All that is open, and the ios of it: begun, waiting for a request, ended.
 * Requests, remaps and devices have headers of their own.
 */
#ifndef REQUEST_OPEN_H
#define REQUEST_OPEN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/hint.h"
#include "request/items.h"

/* 0 or -ENOMEM; what there is has to be freed in either case */
int open_init(struct joiner *j, const struct joiner_bounds *bounds);
void open_free(struct joiner *j);

/* a new io of the queue's, begun by the event, which counts to it */
struct open_io *open_begin(struct joiner *j, struct queue *q,
			   const struct event *ev, enum io_kind kind,
			   char birth);
/* it is the number of an io that is open, and the same as id's */
bool open_is(const struct joiner *j, uint32_t n, uint64_t id);
uint32_t open_number(const struct joiner *j, const struct open_io *io);
/* what only some ios have, made when first asked for */
struct more_io *open_more(struct joiner *j, struct open_io *io);
/* what fewer have, the same */
struct rare_io *open_rare(struct joiner *j, struct open_io *io);

/* the same if it is there, else NULL */
static INLINED struct more_io *open_has_more(const struct joiner *j,
					     const struct open_io *io)
{
	return LIKELY(io->more == OPEN_NONE) ? NULL : &j->more[io->more];
}

static INLINED struct rare_io *open_has_rare(const struct joiner *j,
					     const struct open_io *io)
{
	const struct more_io *more = open_has_more(j, io);

	return !more || more->rare == OPEN_NONE ? NULL : &j->rare[more->rare];
}

/* it was merged so, or not at all: got changes its meaning with that */
void open_merge(struct joiner *j, struct open_io *io, enum io_merge how);

/* bytes of C events are counted to it, not to its request */
static inline void open_done(struct joiner *j, struct open_io *io,
			     uint64_t bytes)
{
	if (bytes)
		open_rare(j, io)->done += bytes;
}

/* an io ends: it is to be handed out */
void open_leaves(struct joiner *j, struct open_io *io);
/* the first of these has been */
void open_forget(struct joiner *j, struct open_io *io);

/* it waits for a request, or for what is below it; it does not any more */
void open_wait(struct joiner *j, struct queue *q, struct open_io *io);
/*
 * The same of one that has just been queued: mostly its G comes next, so it is
 * only remembered.  Others may look for it after open_settle().
 */
void open_wait_fresh(struct joiner *j, struct queue *q, struct open_io *io);
void open_settle_fresh(struct joiner *j, struct queue *q);
static inline void open_settle(struct joiner *j, struct queue *q)
{
	if (q->fresh != OPEN_NONE)
		open_settle_fresh(j, q);
}
void open_unwait_settled(struct joiner *j, struct queue *q, struct open_io *io);
static inline void open_unwait(struct joiner *j, struct queue *q,
			       struct open_io *io)
{
	if (io->place != IO_WAITS)
		return;
	io->place = IO_WHOLE;
	if (LIKELY(q->fresh != OPEN_NONE && io == &j->ios[q->fresh]))
		q->fresh = OPEN_NONE;
	else
		open_unwait_settled(j, q, io);
}
/* a waiting io is to be found at that sector, too */
void open_teach(struct joiner *j, struct queue *q, struct open_io *io,
		uint64_t sector);
/* whose entry in the index of waiting ios that is */
static inline struct open_io *open_of_entry(const struct joiner *j, uint32_t n)
{
	uint32_t ios = j->waiting.items;

	return &j->ios[n < ios ? n : j->taught[n - ios].io];
}

#endif
