/* SPDX-License-Identifier: GPL-2.0-only */
/* Completions. */
#include "base/hint.h"
#include "request/actions.h"
#include "request/choose.h"
#include "request/driver.h"
#include "request/leave.h"
#include "request/open.h"
#include "request/open_queue.h"
#include "request/riders.h"

void complete_ghost(struct joiner *j, struct queue *q, const struct event *ev)
{
	j->counts.leftovers[ev->bytes ? JOINER_GHOST_C : JOINER_LATE_C0]++;
	j->counts.leftover_bytes += ev->bytes;
	q->ghosts += ev->bytes != 0;
	if (q->given_up)
		q->given_up--;
	else if (ev->bytes && ev->time > q->since &&
		 ev->time - q->since > LATE &&
		 q->ways & 1 << event_way(ev))
		queue_lost(j, q);	/* too late for requests of before
					 * the trace */
}

/* --- requests ------------------------------------------------------------- */

/* Its D was lost, or is before the trace. */
static struct request *not_issued(struct joiner *j, struct queue *q,
				  const struct event *ev)
{
	struct request *rq = choose_request(j, q, ev, REQUEST_WAITS);
	uint32_t n = index_first(&j->waiting, queue_space(q), ev->sector);
	uint32_t looks = j->bounds.chain;

	for (; !rq && n != OPEN_NONE && looks--;
	     n = index_next(&j->waiting, n)) {
		const struct open_io *io = open_of_entry(j, n);

		if (io->sector == ev->sector && io_within(io, ev) &&
		    io_same_way(io, ev))
			return riders_ghost(j, q, ev);
	}
	return rq;
}

/* The same, but where D's are seen: another request may have taken its D. */
static COLD struct request *without_issue(struct joiner *j, struct queue *q,
					  const struct event *ev)
{
	struct request *rq = not_issued(j, q, ev);

	if (rq && q->ways & 1 << event_way(ev))
		rq->unsure = true;
	return rq;
}

/* An append, whose C has the place of the write. */
static struct request *appended(struct joiner *j, struct queue *q,
				const struct event *ev)
{
	struct request *rq = choose_appended(j, q, ev);
	struct rare_io *rare;

	if (!rq)
		return NULL;
	rare = open_rare(j, &j->ios[rq->own == OPEN_NONE ? rq->first :
							   rq->own]);
	rare->at = ev->sector;
	return rq;
}

static struct request *find(struct joiner *j, struct queue *q,
			    const struct event *ev)
{
	struct request *rq = NULL;

	if (UNLIKELY(!ev->bytes))
		rq = choose_empty(j, q, ev);
	if (LIKELY(!rq))
		rq = choose_issued(j, q, ev);
	if (LIKELY(rq || !ev->bytes))
		return rq;
	rq = appended(j, q, ev);
	return rq ? rq : without_issue(j, q, ev);
}

static void io_done(struct open_io *io, const struct event *ev)
{
	if (io->c != NO_TIME)
		return;
	io->c = ev->time;
	io->error = event_errno(ev);
}

/* Ends the I/Os whose bytes are done, by sectors; discards end together. */
static void reach(struct joiner *j, struct request *rq, const struct event *ev)
{
	bool all = !request_left(rq), none = rq->way & WAY_DISCARD;

	while (rq->reached != OPEN_NONE) {
		struct open_io *io = &j->ios[rq->reached];

		if (!all && (none || io_end(io) > rq->sector +
							 (rq->done >> 9)))
			return;
		io_done(io, ev);
		if (UNLIKELY(!all && !rq->sequenced))
			leave_reached(j, io, rq);
		rq->reached = io->next;
	}
}

/* All its bytes are done; a flush may follow. */
static void all_done(struct joiner *j, struct queue *q, struct request *rq,
		     const struct event *ev)
{
	const struct flush_cpu *f = NULL;

	rq->c = ev->time;
	if (rq->state == REQUEST_ISSUED)
		q->inflight--;
	if (UNLIKELY(!rq->bytes))
		f = open_flush_cpu(j, q, (uint16_t)ev->cpu, false);
	if (UNLIKELY(f))
		driver_preflushed(j, rq, f->id, f->done);
	if (LIKELY(!rq->sequenced || ev->error)) {
		leave_request(j, rq, ev->time);
		return;
	}
	rq->state = REQUEST_POST;
	riders_enter(j, q, rq);
}

/* Some or all of its bytes are done, or its flush is. */
static void progress(struct joiner *j, struct queue *q, struct request *rq,
		     const struct event *ev)
{
	rq->events++;
	rq->cpu_c = (uint16_t)ev->cpu;
	if (UNLIKELY(rq->state == REQUEST_POST)) {
		leave_request(j, rq, ev->time);
		return;
	}
	rq->done += ev->bytes;
	riders_leave_start(j, rq);
	reach(j, rq, ev);
	if (UNLIKELY(request_left(rq) > 0)) {
		riders_enter_start(j, q, rq);
		return;
	}
	riders_close(j, q, rq);
	all_done(j, q, rq, ev);
}

/* --- bios ----------------------------------------------------------------- */

enum { NO_FIT = 3 };

/* How well an I/O at the C's sector fits: 0 is best. */
static unsigned int fit_of(const struct joiner *j, const struct open_io *io,
			     const struct event *ev)
{
	const struct rare_io *rare = open_has_rare(j, io);

	if (!io_same_way(io, ev))
		return NO_FIT;
	if (io->sector == ev->sector && io->bytes == ev->bytes)
		return 0;
	if (rare && rare->rest == ev->sector && io_end(io) == event_end(ev))
		return 1;
	if (io_holds(io, ev, ev->sector) &&
	    (rare ? rare->done : 0) + ev->bytes <= io->bytes)
		return 2;
	return NO_FIT;
}

/* A device completes when all below is done: prefer the I/O whose children have
 * all completed to one with children in flight. */
static unsigned int wait_of(const struct rare_io *rare)
{
	if (!rare || !rare->children)
		return 1;
	return rare->below < rare->children ? 2 : 0;
}

/* Less is better; those open when events were lost come last. */
static unsigned int bio_rank(const struct joiner *j, const struct queue *q,
			     const struct open_io *io, const struct event *ev)
{
	return fit_of(j, io, ev) << 3 | wait_of(open_has_rare(j, io)) << 1 |
	       is_doubtful(q, io->losses);
}

/* The C may be about any of these, as the best rank is no proof. */
static COLD void doubt_completing(struct joiner *j, struct queue *q,
				  const struct event *ev)
{
	uint32_t n = index_first(&j->waiting, queue_space(q), ev->sector);
	uint32_t looks = j->bounds.chain;

	for (; n != OPEN_NONE && looks--; n = index_next(&j->waiting, n)) {
		struct open_io *io = open_of_entry(j, n);

		io->unsure |= fit_of(j, io, ev) != NO_FIT;
	}
}

/* The I/O that completes on a device without requests, wholly or in part. */
static struct open_io *completing(struct joiner *j, struct queue *q,
				  const struct event *ev)
{
	uint32_t n = index_first(&j->waiting, queue_space(q), ev->sector);
	uint32_t looks = j->bounds.chain;
	unsigned int least = NO_FIT << 3, fits = 0;
	struct open_io *best = NULL;

	for (; n != OPEN_NONE && looks--; n = index_next(&j->waiting, n)) {
		struct open_io *io = open_of_entry(j, n);
		unsigned int rank = bio_rank(j, q, io, ev);

		fits += rank < NO_FIT << 3;
		if (rank < least) {
			best = io;
			least = rank;
		}
	}
	if (UNLIKELY(fits > 1))
		doubt_completing(j, q, ev);
	if (best || !ev->bytes)
		return best;
	return choose_holder(j, q, ev, ev->sector);
}

static void complete_bio(struct joiner *j, struct queue *q,
			 const struct event *ev)
{
	struct open_io *io = completing(j, q, ev);
	struct rare_io *rare;

	if (!io) {
		complete_ghost(j, q, ev);
		return;
	}
	rare = open_rare(j, io);
	io->unsure |= rare->below < rare->children;	/* whose were the
							 * C's? */
	io->events++;
	io->cpu_c = (uint16_t)ev->cpu;
	rare->done += ev->bytes;
	if (ev->error)
		io->error = event_errno(ev);
	if (rare->done >= io->bytes || rare->rest == ev->sector)
		leave_completed(j, io, ev->time);
}

void action_complete(struct joiner *j, struct queue *q, const struct event *ev)
{
	struct request *rq;

	if (!event_has(ev, BLK_TC_FS)) {
		complete_bio(j, q, ev);
		return;
	}
	if (UNLIKELY(driver_is_flush(ev))) {
		action_flush_complete(j, q, ev);
		return;
	}
	rq = find(j, q, ev);
	if (LIKELY(rq))
		progress(j, q, rq, ev);
	else
		complete_ghost(j, q, ev);
}
