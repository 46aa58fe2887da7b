/* SPDX-License-Identifier: GPL-2.0-only */
/* Requests on their way to the driver and back. */
#include "base/hint.h"
#include "record/action.h"
#include "request/actions.h"
#include "request/choose.h"
#include "request/driver.h"
#include "request/leave.h"
#include "request/open.h"
#include "request/open_request.h"
#include "request/riders.h"

/* Finds a request, whose start was not seen, by its end. */
static struct request *by_end(struct joiner *j, struct queue *q,
			      const struct event *ev)
{
	uint32_t n, looks = j->bounds.chain;

	open_settle_ends(j, q);
	n = index_first(&j->ends, queue_space(q), event_end(ev));
	for (; n != OPEN_NONE && looks--; n = index_next(&j->ends, n)) {
		struct request *rq = &j->requests[n];

		if (rq->state == REQUEST_GOT && rq->way == event_way(ev) &&
		    rq->bytes && rq->sector > ev->sector)
			return rq;
	}
	return NULL;
}

/* The request for I or D, with the size in the event. */
static struct request *find(struct joiner *j, struct queue *q,
			    const struct event *ev)
{
	struct request *rq = choose_request(j, q, ev, REQUEST_WAITS);

	if (UNLIKELY(!rq && ev->bytes))
		rq = by_end(j, q, ev);
	if (UNLIKELY(!rq))
		return riders_ghost(j, q, ev);
	if (UNLIKELY(request_left(rq) != ev->bytes))
		riders_resize(j, q, rq, ev);
	return rq;
}

static void unplug(struct joiner *j, struct request *rq)
{
	if (rq->list == LIST_PLUG)
		open_unlist(j, rq);
}

/* whether another request is at the same sector */
static inline bool is_shared(const struct joiner *j, const struct request *rq)
{
	uint32_t n = open_request_number(j, rq);

	return rq->by_start_too && index_at(&j->starts, n)->prev != n;
}

/* Moves a request after the others at its sector.  They are in the order of
 * their last step, so that an event finds its request among the first. */
static void step_back(struct joiner *j, struct queue *q, struct request *rq)
{
	riders_leave_start(j, rq);
	riders_enter_start(j, q, rq);
}

void action_insert(struct joiner *j, struct queue *q, const struct event *ev)
{
	struct request *rq = find(j, q, ev);

	rq->events++;
	if (rq->i == NO_TIME && rq->d == NO_TIME)
		rq->i = ev->time;
	unplug(j, rq);
	if (UNLIKELY(is_shared(j, rq)))
		step_back(j, q, rq);
}

/* --- D -------------------------------------------------------------------- */

void driver_preflushed(const struct joiner *j, struct request *rq,
		       uint64_t flush, uint64_t done)
{
	uint64_t g = request_g(j, rq);

	if (!rq->pre || g == NO_TIME || !flush || done < g)
		return;
	rq->flush = flush;
	rq->preflushed = done;
}

/* Only if the device itself does FUA, the request may have been in a plug. */
static COLD void issue_fua(struct joiner *j, struct queue *q,
			   struct request *rq, const struct event *ev)
{
	q->has_fua = event_has(ev, BLK_TC_FUA);
	q->no_fua = !q->has_fua;
	if (q->has_fua)
		return;
	rq->sequenced = true;
	for (uint32_t n = rq->first; n != OPEN_NONE; n = j->ios[n].next)
		j->ios[n].plug = NO_TIME;
}

/* The flush before its data is done: one whose C was noted, else the last. */
static COLD void flushed(struct joiner *j, const struct queue *q,
			 struct request *rq)
{
	if (rq->list == LIST_DATA)
		open_unlist(j, rq);
	if (rq->flush)
		return;
	rq->unsure |= q->two_flushes;
	driver_preflushed(j, rq, q->flush_id, q->flush_done);
}

static void first_issue(struct joiner *j, struct queue *q, struct request *rq,
			const struct event *ev)
{
	rq->sequenced = ev->bytes && rq->pre;
	if (UNLIKELY(rq->fua && ev->bytes))
		issue_fua(j, q, rq, ev);
	if (UNLIKELY(rq->pre))
		flushed(j, q, rq);
}

/* A repeated D, or one for a part of the request. */
static COLD void issue_again(struct joiner *j, struct queue *q,
			     struct request *rq, const struct event *ev)
{
	struct more_request *more = open_more_request(j, rq);

	more->issues += more->issues < COUNT_MAX;
	if (more->d != NO_TIME)
		return;
	first_issue(j, q, rq, ev);
	more->d = ev->time;
	more->bytes = ev->bytes;
}

/* A write at a zone's start may be an append, whose C has another sector. */
static bool may_append(const struct request *rq)
{
	return rq->way == WAY_WRITE && rq->bytes && !(rq->sector % 2048) &&
	       rq->list == LIST_NONE;
}

void driver_issue(struct joiner *j, struct queue *q, struct request *rq,
		  const struct event *ev)
{
	rq->events++;
	q->ways |= 1 << rq->way;
	riders_close(j, q, rq);
	unplug(j, rq);
	rq->cpu_d = (uint16_t)ev->cpu;
	if (UNLIKELY(rq->d != NO_TIME || rq->more != OPEN_NONE ||
		     ev->bytes != rq->bytes))
		issue_again(j, q, rq, ev);
	else
		first_issue(j, q, rq, ev);
	rq->d = ev->time;
	if (rq->state != REQUEST_ISSUED)
		q->inflight++;
	rq->state = REQUEST_ISSUED;
	rq->depth = q->inflight;
}

/* The distance from the end of the request issued before.  A request issued
 * again, with none in between, has not moved. */
static COLD void seek(const struct joiner *j, struct queue *q,
		      const struct request *rq, const struct event *ev)
{
	uint32_t n = open_request_number(j, rq);
	bool again = q->issued == n && rq->more != OPEN_NONE &&
		     j->more_requests[rq->more].issues > 1;

	if (!ev->bytes)
		return;
	/* no disk uses the highest bit, so this cannot overflow */
	if (q->issued != OPEN_NONE && !again && !((ev->sector | q->head) >> 63))
		j->seeks[n] = (int64_t)ev->sector - (int64_t)q->head;
	q->issued = n;
	q->head = event_end(ev);
}

static bool is_aged(const struct queue *q, const struct request *old,
		    uint64_t now)
{
	uint64_t age = now > old->d ? now - old->d : 0;

	return age > LATE && age / 8 >= q->slowest && age > 8 * q->slowest;
}

/* Where events may have been about another request, this one may not be lost
 * but belong to other events: from now on nothing there is sure. */
static void doubt_place(struct queue *q, struct request *old,
			const struct event *ev)
{
	if (!q->doubted)
		return;
	open_muddle(q, old, ev);
	old->muddled = false;	/* keep the mark of the place */
}

/* A new request takes the place of one in flight.  Its C is lost if events were
 * lost since its D, or if it is far older than any that completed. */
static COLD void supersede(struct joiner *j, struct queue *q,
			   const struct request *rq, const struct event *ev)
{
	uint32_t n = index_first(&j->starts, queue_space(q), request_at(rq));
	uint32_t looks = j->bounds.chain, next;

	for (; n != OPEN_NONE && looks--; n = next) {
		struct request *old = &j->requests[n];
		bool aged;

		next = index_next(&j->starts, n);
		if (old == rq || old->state != REQUEST_ISSUED ||
		    old->way != rq->way)
			continue;
		aged = is_aged(q, old, rq->d);
		if (aged)
			queue_lost(j, q);
		if (!aged && !is_doubtful(q, old->losses))
			continue;
		q->given_up++;
		doubt_place(q, old, ev);
		leave_request_closed(j, old, IO_ENDED_LOST, rq->d);
	}
}

void action_issue(struct joiner *j, struct queue *q, const struct event *ev)
{
	struct request *rq;

	if (UNLIKELY(driver_is_flush(ev))) {
		action_flush_issue(j, q, ev);
		return;
	}
	rq = find(j, q, ev);
	driver_issue(j, q, rq, ev);
	if (UNLIKELY(j->seeks))
		seek(j, q, rq, ev);
	if (UNLIKELY(may_append(rq)))
		open_list(j, rq, LIST_APPENDS, OPEN_NONE);
	if (UNLIKELY(is_shared(j, rq))) {
		step_back(j, q, rq);
		supersede(j, q, rq, ev);
	}
}

/* --- R -------------------------------------------------------------------- */

void driver_requeue(struct joiner *j, struct queue *q, struct request *rq,
		    uint64_t time)
{
	struct more_request *more = open_more_request(j, rq);

	rq->events++;
	unplug(j, rq);
	more->requeues += more->requeues < COUNT_MAX;
	if (rq->state == REQUEST_ISSUED) {
		q->inflight--;
		open_stay(j, rq, time);
	}
	rq->state = REQUEST_REQUEUED;
}

/* Prefer one that waits: requests are often requeued unissued. */
static struct request *sent_back(struct joiner *j, struct queue *q,
				 const struct event *ev)
{
	struct request *rq = choose_request(j, q, ev, REQUEST_WAITS);
	struct request *issued = choose_request(j, q, ev,
						1u << REQUEST_ISSUED);

	if (!rq || !issued)
		return rq ? rq : issued;
	rq->unsure = issued->unsure = true;
	return rq->i != NO_TIME || rq->more != OPEN_NONE ? rq : issued;
}

void action_requeue(struct joiner *j, struct queue *q, const struct event *ev)
{
	uint32_t flush = q->lists[LIST_FLUSHES].first;
	struct request *rq;

	if (!driver_is_flush(ev))
		rq = sent_back(j, q, ev);
	else
		rq = flush == OPEN_NONE ? NULL : &j->requests[flush];
	if (rq)
		driver_requeue(j, q, rq, ev->time);
	else
		j->counts.leftovers[JOINER_GHOST_R]++;
}

/* --- requests without I/Os ------------------------------------------------ */

struct request *driver_bare(struct joiner *j, struct queue *q,
			    const struct event *ev, enum io_kind kind,
			    enum request_list list)
{
	struct open_io *io = open_begin(j, q, ev, kind,
					*action_text(event_number(ev)));
	struct request *rq;

	io->events = 0;
	rq = riders_bare(j, q, ev, io);
	open_list(j, rq, list, OPEN_NONE);
	return rq;
}

void driver_bare_complete(struct joiner *j, struct queue *q,
			  struct request *rq, const struct event *ev)
{
	rq->events++;
	rq->cpu_c = (uint16_t)ev->cpu;
	rq->done = ev->bytes;
	rq->c = ev->time;
	request_first(j, rq)->error = event_errno(ev);
	if (rq->state == REQUEST_ISSUED)
		q->inflight--;
	leave_request(j, rq, ev->time);
}
