/* SPDX-License-Identifier: GPL-2.0-only */
/* Requests that are open, and the lists that they are in. */
#ifndef REQUEST_OPEN_REQUEST_H
#define REQUEST_OPEN_REQUEST_H

#include <stdbool.h>
#include <stdint.h>

#include "base/hint.h"
#include "request/items.h"

/* a request without ios, made by the event */
struct request *open_request(struct joiner *j, const struct queue *q,
			     const struct event *ev);
uint32_t open_request_number(const struct joiner *j, const struct request *rq);
void open_request_forget(struct joiner *j, struct request *rq);
/* what only some requests have, made when first asked for */
struct more_request *open_more_request(struct joiner *j, struct request *rq);
/* the same if it is there, else NULL */
static inline struct more_request *
open_has_more_request(const struct joiner *j, const struct request *rq)
{
	return LIKELY(rq->more == OPEN_NONE) ? NULL :
					       &j->more_requests[rq->more];
}

/* The request was at its device from its last D to that moment, and comes back.
 * Without room for it the request is not sure. */
void open_stay(struct joiner *j, struct request *rq, uint64_t until);

/*
 * It is to be found by its end, or no more.  Mostly it is issued before others
 * look for it there, so it is only remembered until open_settle_ends().
 */
void open_end(struct joiner *j, struct queue *q, struct request *rq);
void open_end_no_more(struct joiner *j, struct queue *q, struct request *rq);
void open_enter_ends(struct joiner *j, struct queue *q);
static inline void open_settle_ends(struct joiner *j, struct queue *q)
{
	if (q->ends.first != OPEN_NONE)
		open_enter_ends(j, q);
}

/*
 * The range of a request is not sure: it may have had the event, which was
 * thought to be another's, or not, though it was thought to be.
 */
void open_muddle(struct queue *q, struct request *rq, const struct event *ev);
/* it has ended, or joined another */
static inline void open_unmuddle(struct queue *q, struct request *rq)
{
	if (LIKELY(!rq->muddled))
		return;
	rq->muddled = false;
	q->muddles[rq->way].count--;
	q->muddled--;
}
/* whether the event may be about such a request, wherever that is thought to be */
static inline bool open_in_muddle(const struct queue *q, const struct event *ev)
{
	const struct muddle *m = &q->muddles[event_way(ev)];

	return m->count && ev->sector <= m->to && event_end(ev) >= m->from;
}

/* lists of requests; a request is in one of them, or none */
void open_list(struct joiner *j, struct request *rq, enum request_list list,
	       uint32_t process);
void open_unlist(struct joiner *j, struct request *rq);

#endif
