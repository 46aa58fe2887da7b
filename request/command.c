/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Passthrough commands.  They have no sector: an event is about the oldest of
 * its size and direction.
 */
#include "request/actions.h"
#include "request/complete.h"
#include "request/driver.h"
#include "request/items.h"

static bool is_inserted_again(const struct request *rq, const struct event *ev)
{
	return event_number(ev) == BLK_TA_INSERT && rq->i != NO_TIME;
}

/*
 * The oldest with the event's size and way, and issued or not, beyond doubt
 * first; not sure if there are others.  any: of any size and way, if there is
 * none.
 */
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
