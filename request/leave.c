/* SPDX-License-Identifier: GPL-2.0-only */
/* Ends I/Os and requests; see leave.h. */
#include "base/hint.h"
#include "request/leave.h"
#include "request/open.h"
#include "request/open_request.h"
#include "request/riders.h"

static void leave(struct joiner *j, struct open_io *io, enum io_ended ended,
		  uint64_t time);

/* A part has ended; the last one ends its parent. */
static void part_left(struct joiner *j, struct open_io *parent,
		      const struct open_io *part, enum io_ended ended)
{
	struct rare_io *rare = open_has_rare(j, parent);

	if (!parent->error)
		parent->error = part->error;
	if (ended != IO_ENDED_C)
		rare->parts_ended = (uint8_t)ended;
	if (--rare->parts)
		return;
	if (rare->parts_ended != IO_ENDED_C)
		parent->error = 0;	/* of its own C, which it lacks */
	leave(j, parent, rare->parts_ended, part->c);
}

static void child_left(struct joiner *j, struct open_io *upper,
		       const struct open_io *io, enum io_ended ended)
{
	struct rare_io *rare = open_has_rare(j, upper);

	rare->below++;
	rare->below_bytes += io->bytes;
	if (ended == IO_ENDED_C)
		rare->below_c = io->c;
}

/* Passes the end of an I/O to the I/O above it or its parent. */
static APART void pass_above(struct joiner *j, const struct open_io *io,
			     const struct request *rq, enum io_ended ended)
{
	const struct rare_io *rare = open_has_rare(j, io);
	struct open_io *upper = &j->ios[rare->parent];

	upper->unsure |= io->unsure | (rq && rq->unsure);
	if (rare->link == IO_REMAP)
		child_left(j, upper, io, ended);
	else
		part_left(j, upper, io, ended);
}

static void leave(struct joiner *j, struct open_io *io, enum io_ended ended,
		  uint64_t time)
{
	const struct queue *q = j->queues[io->queue];
	const struct rare_io *rare = open_has_rare(j, io);

	io->ended = (uint8_t)ended;
	io->c = time;
	if (UNLIKELY(is_doubtful(q, io->losses))) {
		io->gap |= !io->reached;
		io->unsure = true;
	}
	open_leaves(j, io);
	if (LIKELY(!rare) || !open_is(j, rare->parent, rare->parent_id))
		return;
	pass_above(j, io, io->place == IO_RIDES ? &j->requests[io->rq] : NULL,
		   ended);
}

COLD void leave_reached(struct joiner *j, struct open_io *io,
			const struct request *rq)
{
	struct rare_io *rare = open_has_rare(j, io);

	io->gap = is_doubtful(request_queue(j, rq), io->losses);
	io->reached = true;
	if (!rare || !open_is(j, rare->parent, rare->parent_id))
		return;
	pass_above(j, io, rq, IO_ENDED_C);
	rare->parent = OPEN_NONE;	/* once only */
}

void leave_completed(struct joiner *j, struct open_io *io, uint64_t time)
{
	open_unwait(j, j->queues[io->queue], io);
	leave(j, io, IO_ENDED_C, time);
}

/* --- requests ------------------------------------------------------------- */

/* The I/O that got the request leads it; else the first one. */
static struct open_io *lead_of(struct joiner *j, const struct request *rq)
{
	struct open_io *lead = request_first(j, rq);

	if (rq->own != OPEN_NONE)
		return &j->ios[rq->own];
	for (uint32_t n = rq->first; n != OPEN_NONE; n = j->ios[n].next)
		if (j->ios[n].id < lead->id)
			lead = &j->ios[n];
	return lead;
}

/* Removes a request from all indices; its lead takes over its counts. */
static void end_request(struct joiner *j, struct queue *q, struct request *rq)
{
	struct open_io *lead = lead_of(j, rq);

	riders_hide(j, q, rq);
	open_unlist(j, rq);
	open_unmuddle(q, rq);
	lead->events += rq->events;
	rq->lead = lead->id;
}

void leave_request(struct joiner *j, struct request *rq, uint64_t time)
{
	struct queue *q = request_queue(j, rq);
	bool post = rq->state == REQUEST_POST;
	uint32_t n = rq->first, count = 0, next;

	end_request(j, q, rq);
	if (post && q->flush_id && q->flush_done >= rq->c)
		open_more_request(j, rq)->flush2 = q->flush_id;
	for (; n != OPEN_NONE; n = next) {
		struct open_io *io = &j->ios[n];

		next = io->next;
		io->rq = open_request_number(j, rq);
		leave(j, io, IO_ENDED_C,
		      post || io->c == NO_TIME ? time : io->c);
		count++;
	}
	rq->count = rq->leaving = count;
}

void leave_request_closed(struct joiner *j, struct request *rq,
			  enum io_ended ended, uint64_t time)
{
	struct queue *q = request_queue(j, rq);
	uint32_t n = rq->first, count = 0, next;

	end_request(j, q, rq);
	if (rq->state == REQUEST_ISSUED)
		q->inflight--;
	for (; n != OPEN_NONE; n = next) {
		struct open_io *io = &j->ios[n];
		bool reached = io->c != NO_TIME && !rq->sequenced;

		next = io->next;
		io->rq = open_request_number(j, rq);
		leave(j, io, reached ? IO_ENDED_C : ended,
		      reached ? io->c : time);
		count++;
	}
	rq->count = rq->leaving = count;
}

/* --- closing -------------------------------------------------------------- */

/* Whether all below is done and no C of its own will come: the device passed on
 * the same bio, which is not queued again below and completes only there. */
static bool is_done_below(const struct open_io *io, const struct rare_io *rare)
{
	return rare && rare->passed && rare->below == rare->children &&
	       rare->below_bytes >= io->bytes && rare->below_c != NO_TIME;
}

void leave_closed(struct joiner *j, struct open_io *io, enum io_ended ended,
		  uint64_t time)
{
	const struct rare_io *rare = open_has_rare(j, io);

	if (io->place == IO_RIDES) {
		leave_request_closed(j, riders_request(j, io), ended, time);
		return;
	}
	open_unwait(j, j->queues[io->queue], io);
	if (is_done_below(io, rare)) {
		leave(j, io, IO_ENDED_BELOW, rare->below_c);
		return;
	}
	io->error = 0;		/* error of some bytes, which have no end yet */
	leave(j, io, ended, time);
}
