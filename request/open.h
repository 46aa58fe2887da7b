/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Makes, finds and ends open I/Os; open_request.h and open_queue.h have
 * requests and devices, and remap.c has remaps.
 */
#ifndef REQUEST_OPEN_H
#define REQUEST_OPEN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/hint.h"
#include "request/items.h"

/* 0 or -ENOMEM; in either case to be freed */
int open_init(struct joiner *j, const struct joiner_bounds *bounds);
void open_free(struct joiner *j);

/* a new I/O of the queue, started by the event, which is counted */
struct open_io *open_begin(struct joiner *j, struct queue *q,
			   const struct event *ev, enum io_kind kind,
			   char birth);
/* whether n is the number of an open I/O with that id */
bool open_is(const struct joiner *j, uint32_t n, uint64_t id);
uint32_t open_number(const struct joiner *j, const struct open_io *io);
/* data that only some I/Os have, made on first use */
struct more_io *open_more(struct joiner *j, struct open_io *io);
/* the same for even fewer */
struct rare_io *open_rare(struct joiner *j, struct open_io *io);

/* the same if it exists, else NULL */
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

/* how it was merged, or not at all; decides what got means */
void open_merge(struct joiner *j, struct open_io *io, enum io_merge how);

/* It is no I/O of its device any more: others carry on what it was. */
void open_absorbed(struct joiner *j, struct open_io *io);

/* counts bytes of a C to an I/O instead of its request */
static inline void open_done(struct joiner *j, struct open_io *io,
			     uint64_t bytes)
{
	if (bytes)
		open_rare(j, io)->done += bytes;
}

/* ends an I/O, whose record is to be taken */
void open_leaves(struct joiner *j, struct open_io *io);
/* frees the first of these */
void open_forget(struct joiner *j, struct open_io *io);

/* starts or ends waiting, for a request or for I/Os below */
void open_wait(struct joiner *j, struct queue *q, struct open_io *io);
/* The same for an I/O just queued, which is only remembered, as its G usually
 * comes next.  open_settle_fresh() makes it visible to others. */
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
/* makes a waiting I/O known by another sector, too */
void open_teach(struct joiner *j, struct queue *q, struct open_io *io,
		uint64_t sector);
/* the I/O of an entry in the index of waiting ones */
static inline struct open_io *open_of_entry(const struct joiner *j, uint32_t n)
{
	uint32_t ios = j->waiting.items;

	return &j->ios[n < ios ? n : j->taught[n - ios].io];
}

#endif
