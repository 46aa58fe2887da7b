/* SPDX-License-Identifier: GPL-2.0-only */
/* Open requests, and their lists. */
#ifndef REQUEST_OPEN_REQUEST_H
#define REQUEST_OPEN_REQUEST_H

#include <stdbool.h>
#include <stdint.h>

#include "base/hint.h"
#include "request/items.h"

/* a request without I/Os, made by the event */
struct request *open_request(struct joiner *j, const struct queue *q,
			     const struct event *ev);
uint32_t open_request_number(const struct joiner *j, const struct request *rq);
void open_request_forget(struct joiner *j, struct request *rq);
/* data that only some requests have, made on first use */
struct more_request *open_more_request(struct joiner *j, struct request *rq);
/* the same if it exists, else NULL */
static inline struct more_request *
open_has_more_request(const struct joiner *j, const struct request *rq)
{
	return LIKELY(rq->more == OPEN_NONE) ? NULL :
					       &j->more_requests[rq->more];
}

/* Records a requeue: the request was at its device from its last D to until.
 * Without room for that it is not sure. */
void open_stay(struct joiner *j, struct request *rq, uint64_t until);

/* Makes a request known by its end, or no longer.  As most are issued before
 * others look there, it is only remembered until open_settle_ends(). */
void open_end(struct joiner *j, struct queue *q, struct request *rq);
void open_end_no_more(struct joiner *j, struct queue *q, struct request *rq);
void open_enter_ends(struct joiner *j, struct queue *q);
static inline void open_settle_ends(struct joiner *j, struct queue *q)
{
	if (q->ends.first != OPEN_NONE)
		open_enter_ends(j, q);
}

/* Marks the range of a request as in doubt: it may have had this event, taken
 * for another's, or the other way round. */
void open_muddle(struct queue *q, struct request *rq, const struct event *ev);
/* after it ended, or joined another */
static inline void open_unmuddle(struct queue *q, struct request *rq)
{
	if (LIKELY(!rq->muddled))
		return;
	rq->muddled = false;
	q->muddles[rq->way].count--;
	q->muddled--;
}
/* whether the event may be about a request whose range is in doubt */
static inline bool open_in_muddle(const struct queue *q, const struct event *ev)
{
	const struct muddle *m = &q->muddles[event_way(ev)];

	return m->count && ev->sector <= m->to && event_end(ev) >= m->from;
}

/* lists of requests, each of which is in at most one */
void open_list(struct joiner *j, struct request *rq, enum request_list list,
	       uint32_t process);
void open_unlist(struct joiner *j, struct request *rq);

#endif
