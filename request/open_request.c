/* SPDX-License-Identifier: GPL-2.0-only */
/* Open requests; see open_request.h. */
#include "request/open_request.h"
#include "request/slots.h"

uint32_t open_request_number(const struct joiner *j, const struct request *rq)
{
	return (uint32_t)(rq - j->requests);
}

static inline void request_nothing(struct request *rq)
{
	rq->done = rq->flush = 0;
	rq->i = rq->d = NO_TIME;
	rq->c = rq->preflushed = NO_TIME;
	rq->pre = rq->fua = 0;
	rq->events = 0;
	rq->first = rq->last = rq->own = rq->reached = OPEN_NONE;
	rq->more = OPEN_NONE;
	rq->cpu_d = rq->cpu_c = NO_CPU;
	rq->state = REQUEST_GOT;
	rq->list = LIST_NONE;
	rq->sequenced = rq->by_start_too = rq->by_end_too = rq->unsure = 0;
	rq->muddled = 0;
}

/* There are as many as I/Os, and each has at least one. */
struct request *open_request(struct joiner *j, const struct queue *q,
			     const struct event *ev)
{
	uint32_t n = TAKE(j->unused_requests, j->requests, next);
	struct request *rq = &j->requests[n];

	request_nothing(rq);
	if (UNLIKELY(j->seeks))
		j->seeks[n] = IO_NO_SEEK;
	rq->sector = ev->sector;
	rq->bytes = ev->bytes;
	rq->way = event_way(ev);
	rq->losses = queue_safe(q);
	return rq;
}

/* There is one for each request. */
struct more_request *open_more_request(struct joiner *j, struct request *rq)
{
	uint32_t n = rq->more;

	if (n != OPEN_NONE)
		return &j->more_requests[n];
	n = TAKE(j->unused_more_requests, j->more_requests, requeues);
	rq->more = n;
	j->more_requests[n] = (struct more_request){
		.d = rq->d,
		.bytes = rq->bytes,
		.issues = rq->d != NO_TIME,
		.stays = OPEN_NONE,
	};
	return &j->more_requests[n];
}

COLD void open_stay(struct joiner *j, struct request *rq, uint64_t until)
{
	struct more_request *more = open_more_request(j, rq);
	uint32_t n = TAKE(j->unused_stays, j->stays, before);
	const struct stay *before;

	if (n == OPEN_NONE) {
		rq->unsure = true;
		return;
	}
	before = more->stays == OPEN_NONE ? NULL : &j->stays[more->stays];
	j->stays[n] = (struct stay){
		.is = { rq->d, until, before ? &before->is : NULL },
		.before = more->stays,
	};
	more->stays = n;
}

static COLD void forget_more(struct joiner *j, uint32_t more)
{
	uint32_t n = j->more_requests[more].stays, next;

	for (; n != OPEN_NONE; n = next) {
		next = j->stays[n].before;
		j->stays[n].before = unused_give(&j->unused_stays, n);
	}
	j->more_requests[more].requeues =
		unused_give(&j->unused_more_requests, more);
}

void open_request_forget(struct joiner *j, struct request *rq)
{
	uint32_t n = open_request_number(j, rq);

	if (UNLIKELY(rq->more != OPEN_NONE))
		forget_more(j, rq->more);
	rq->next = unused_give(&j->unused_requests, n);
}

static void reach(struct muddle *m, uint64_t from, uint64_t to)
{
	m->from = from < m->from ? from : m->from;
	m->to = to > m->to ? to : m->to;
}

COLD void open_muddle(struct queue *q, struct request *rq,
		      const struct event *ev)
{
	struct muddle *m = &q->muddles[rq->way];

	if (!m->count)
		*m = (struct muddle){ .from = UINT64_MAX };
	reach(m, rq->sector, request_end(rq));
	reach(m, ev->sector, event_end(ev));
	q->doubted = true;
	rq->unsure = true;
	if (rq->muddled)
		return;
	rq->muddled = true;
	m->count++;
	q->muddled++;
}

/* The entry of an item in an index is never before nothing: this marks requests
 * that are not in the index of ends yet. */
void open_end(struct joiner *j, struct queue *q, struct request *rq)
{
	uint32_t n = open_request_number(j, rq);

	rq->by_end_too = true;
	rq->by_end.prev = INDEX_NONE;
	LIST_APPEND(&q->ends, j->requests, n, before_end, after_end);
}

void open_end_no_more(struct joiner *j, struct queue *q, struct request *rq)
{
	uint32_t n = open_request_number(j, rq);

	rq->by_end_too = false;
	if (LIKELY(rq->by_end.prev == INDEX_NONE))
		LIST_REMOVE(&q->ends, j->requests, n, before_end, after_end);
	else
		index_remove(&j->ends, n);
}

void open_enter_ends(struct joiner *j, struct queue *q)
{
	uint32_t n = q->ends.first, next;

	for (; n != OPEN_NONE; n = next) {
		struct request *rq = &j->requests[n];

		next = rq->after_end;
		index_add(&j->ends, n, queue_space(q), request_end(rq));
	}
	q->ends = (struct list){ OPEN_NONE, OPEN_NONE, 0 };
}

static inline struct list *list_of(struct joiner *j, const struct request *rq)
{
	if (LIKELY(rq->list == LIST_PLUG))
		return &j->processes[rq->process].plug;
	return &request_queue(j, rq)->lists[rq->list];
}

void open_list(struct joiner *j, struct request *rq, enum request_list list,
	       uint32_t process)
{
	uint32_t n = open_request_number(j, rq);
	struct list *l;

	rq->list = list;
	if (list == LIST_PLUG)
		rq->process = process;
	l = list_of(j, rq);
	LIST_APPEND(l, j->requests, n, prev, next);
}

void open_unlist(struct joiner *j, struct request *rq)
{
	uint32_t n = open_request_number(j, rq);
	struct list *l;

	if (rq->list == LIST_NONE)
		return;
	l = list_of(j, rq);
	LIST_REMOVE(l, j->requests, n, prev, next);
	rq->list = LIST_NONE;
}
