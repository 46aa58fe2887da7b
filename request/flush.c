/* SPDX-License-Identifier: GPL-2.0-only */
/* Flush requests of the kernel, one per hardware queue, and passthrough
 * commands. */
#include <string.h>

#include "request/actions.h"
#include "request/driver.h"
#include "request/items.h"
#include "request/leave.h"
#include "request/open_queue.h"
#include "request/open_request.h"
#include "request/riders.h"

/* --- command -------------------------------------------------------------- */

/* Commands have no sector: an event is for the oldest of its size and way. */

static bool is_inserted_again(const struct request *rq, const struct event *ev)
{
	return event_number(ev) == BLK_TA_INSERT && rq->i != NO_TIME;
}

/* The oldest, sure ones first, with the event's size and way, and issued or
 * not; not sure if there are others.  any: else of any size and way. */
static struct request *find(struct joiner *j, struct queue *q,
			    const struct event *ev, bool issued, bool any)
{
	uint32_t n = q->lists[LIST_COMMANDS].first, looks = j->bounds.looks;
	struct request *best = NULL;
	unsigned int least = 2;

	for (; n != OPEN_NONE && looks--; n = j->requests[n].next) {
		struct request *rq = &j->requests[n];
		bool fits = rq->bytes == ev->bytes && rq->way == event_way(ev);
		unsigned int rank = fits ? is_doubtful(q, rq->losses) : 2;

		if ((rq->state == REQUEST_ISSUED) != issued ||
		    (!any && !fits) || is_inserted_again(rq, ev))
			continue;
		if (best && fits == (least < 2))
			best->unsure = rq->unsure = true;
		if (!best || rank < least) {
			best = rq;
			least = rank;
		}
	}
	return best;
}

static void complete(struct joiner *j, struct queue *q, const struct event *ev)
{
	struct request *rq = find(j, q, ev, true, true);

	if (rq)
		driver_bare_complete(j, q, rq, ev);
	else
		complete_ghost(j, q, ev);
}

static void requeue(struct joiner *j, struct queue *q, const struct event *ev)
{
	struct request *rq = find(j, q, ev, true, false);

	if (rq)
		driver_requeue(j, q, rq, ev->time);
	else
		j->counts.leftovers[JOINER_GHOST_R]++;
}

/* Q G I D */
static void advance(struct joiner *j, struct queue *q, const struct event *ev)
{
	struct request *rq = find(j, q, ev, false, false);

	if (!rq)
		rq = driver_bare(j, q, ev, IO_PASS, LIST_COMMANDS);
	if (event_number(ev) == BLK_TA_ISSUE) {
		driver_issue(j, q, rq, ev);
		return;
	}
	rq->events++;
	if (event_number(ev) == BLK_TA_INSERT && rq->i == NO_TIME)
		rq->i = ev->time;
	else if (event_number(ev) == BLK_TA_GETRQ)
		request_first(j, rq)->got = ev->time;
}

void action_command(struct joiner *j, struct queue *q, const struct event *ev)
{
	if (event_number(ev) == BLK_TA_COMPLETE)
		complete(j, q, ev);
	else if (event_number(ev) == BLK_TA_REQUEUE)
		requeue(j, q, ev);
	else
		advance(j, q, ev);
}

/* --- flush ---------------------------------------------------------------- */

/* A requeued one, else a new one. */
static struct request *requeued(struct joiner *j, struct queue *q)
{
	uint32_t n = q->lists[LIST_FLUSHES].first, looks = j->bounds.looks;

	for (; n != OPEN_NONE && looks--; n = j->requests[n].next)
		if (j->requests[n].state == REQUEST_REQUEUED)
			return &j->requests[n];
	return NULL;
}

/* A queue has one flush at a time, and a CPU has one queue. */
static void drop_flushes(struct joiner *j, struct queue *q,
			 const struct event *ev)
{
	uint32_t n = q->lists[LIST_FLUSHES].first, next;
	uint32_t looks = j->bounds.looks;

	for (; n != OPEN_NONE && looks--; n = next) {
		struct request *old = &j->requests[n];

		next = old->next;
		if (old->cpu_d == ev->cpu || is_doubtful(q, old->losses))
			leave_request_closed(j, old, IO_ENDED_LOST, ev->time);
	}
}

void action_flush_issue(struct joiner *j, struct queue *q,
			const struct event *ev)
{
	struct request *rq = requeued(j, q);

	if (!rq) {
		drop_flushes(j, q, ev);
		rq = driver_bare(j, q, ev, IO_FLUSH, LIST_FLUSHES);
		q->two_flushes |= q->lists[LIST_FLUSHES].count > 1;
	}
	driver_issue(j, q, rq, ev);
}

/* --- completion ----------------------------------------------------------- */

static void push_time(uint64_t *times, uint32_t *count, uint64_t time)
{
	if (*count == FLUSHES_KEPT) {
		memmove(times, times + 1, (FLUSHES_KEPT - 1) * sizeof(*times));
		--*count;
	}
	times[(*count)++] = time;
}

/*
 * A flush request serves all that waited when it was issued.  Those that came
 * later wait for the next, or with FUA for one more.  Those that waited longer
 * have lost their C.
 */
static void drop_waiters(struct joiner *j, struct queue *q,
			 const struct request *flush,
			 const struct flush_cpu *f, uint64_t now)
{
	const uint64_t *times = q->two_flushes && f ? f->times : q->times;
	uint32_t count = q->two_flushes && f ? f->count : q->times_count;
	uint32_t n = q->lists[LIST_WAITERS].first, next;
	uint32_t looks = j->bounds.looks;

	for (; n != OPEN_NONE && looks-- && count == FLUSHES_KEPT; n = next) {
		struct request *rq = &j->requests[n];

		next = rq->next;
		if (request_g(j, rq) >= times[0])
			return;
		if (!q->two_flushes || request_cpu_g(j, rq) == flush->cpu_d)
			leave_request_closed(j, rq, IO_ENDED_LOST, now);
	}
}

/* Data follow the first flush request issued after the request's G, on its own
 * hardware queue if there are several. */
static void flush_before(struct joiner *j, struct queue *q, struct request *rq,
			 const struct request *flush, uint64_t now)
{
	bool own = request_cpu_g(j, rq) == flush->cpu_d;
	bool noted = !rq->by_end_too && rq->flush;

	if (request_g(j, rq) > request_first_d(j, flush) ||
	    (!own && (noted || q->two_flushes)))
		return;
	rq->unsure |= noted;
	riders_close(j, q, rq);		/* not merged */
	if (!noted || q->two_flushes)
		driver_preflushed(j, rq, request_first(j, flush)->id, now);
	if (own)
		open_unlist(j, rq);
}

static void flush_data(struct joiner *j, struct queue *q,
		       const struct request *flush, uint64_t now)
{
	uint32_t n = q->lists[LIST_DATA].first, next;
	uint32_t looks = j->bounds.looks;

	for (; n != OPEN_NONE && looks--; n = next) {
		next = j->requests[n].next;
		flush_before(j, q, &j->requests[n], flush, now);
	}
}

/* The one issued on this CPU, else the oldest, which may be wrong. */
static struct request *completed(struct joiner *j, struct queue *q,
				 const struct event *ev)
{
	uint32_t n = q->lists[LIST_FLUSHES].first, looks = j->bounds.looks;
	struct request *oldest;

	for (; n != OPEN_NONE && looks--; n = j->requests[n].next)
		if (j->requests[n].cpu_d == ev->cpu)
			return &j->requests[n];
	oldest = &j->requests[q->lists[LIST_FLUSHES].first];
	if (oldest->next != OPEN_NONE)
		oldest->unsure = j->requests[oldest->next].unsure = true;
	return oldest;
}

static void note_completed(struct joiner *j, struct queue *q,
			   const struct request *rq, const struct event *ev)
{
	struct flush_cpu *here = open_flush_cpu(j, q, (uint16_t)ev->cpu, true);

	q->flush_id = request_first(j, rq)->id;
	q->flush_done = ev->time;
	if (!here)
		return;
	here->id = q->flush_id;
	here->done = ev->time;
	here->issued = request_first_d(j, rq);
	here->cpu_d = rq->cpu_d;
}

void action_flush_complete(struct joiner *j, struct queue *q,
			   const struct event *ev)
{
	struct flush_cpu *f;
	struct request *rq;
	uint64_t issued;

	if (!q->lists[LIST_FLUSHES].count) {
		complete_ghost(j, q, ev);
		return;
	}
	rq = completed(j, q, ev);
	open_unlist(j, rq);
	note_completed(j, q, rq, ev);
	f = open_flush_cpu(j, q, rq->cpu_d, true);
	issued = request_first_d(j, rq);
	push_time(q->times, &q->times_count, issued);
	if (f)
		push_time(f->times, &f->count, issued);
	drop_waiters(j, q, rq, f, ev->time);
	flush_data(j, q, rq, ev->time);
	driver_bare_complete(j, q, rq, ev);
}
