/* SPDX-License-Identifier: GPL-2.0-only */
/* Joins events into I/Os; see joiner.h. */
#include <errno.h>
#include <stdlib.h>

#include "base/hint.h"
#include "record/payload.h"
#include "request/actions.h"
#include "request/joiner.h"
#include "request/leave.h"
#include "request/open.h"
#include "request/open_queue.h"
#include "request/open_request.h"
#include "request/record.h"
#include "run/device.h"

struct row {
	action *act;
	bool command;		/* also for passthrough commands */
	bool fresh;		/* may use the I/O that was just queued */
};

static action action_leave_out;

#define NO false
#define PC false
#define CMD true
#define YES true
#define ROW(name, letters, pc, rest, count, join, fresh) \
	[BLK_TA_##name] = { action_##join, pc, fresh },

static const struct row table[BLK_TA_COUNT] = {
	[BLK_TA_NONE] = { action_leave_out, false, true },
	BLK_ACTIONS(ROW)
};

int joiner_new(struct joiner **out, const struct joiner_bounds *bounds)
{
	struct joiner *j = calloc(1, sizeof(*j));

	*out = j;
	if (!j)
		return -ENOMEM;
	j->at = &j->record;
	if (!open_init(j, bounds))
		return 0;
	joiner_free(j);
	*out = NULL;
	return -ENOMEM;
}

void joiner_free(struct joiner *j)
{
	if (!j)
		return;
	open_free(j);
	free(j);
}

int joiner_want_seeks(struct joiner *j)
{
	j->seeks = malloc(j->unused_requests.size * sizeof(*j->seeks));
	return j->seeks ? 0 : -ENOMEM;
}

int joiner_watch_levels(struct joiner *j, const struct level_watcher *w)
{
	j->levels = malloc(j->unused_ios.size * sizeof(*j->levels));
	j->watcher = j->levels ? w : NULL;
	return j->levels ? 0 : -ENOMEM;
}

/* --- events --------------------------------------------------------------- */

/* Changes to another device than the last event's. */
static APART struct queue *change_queue(struct joiner *j,
					const struct event *ev)
{
	struct queue *q = open_queue(j, ev->origin, ev->device);

	if (!q)
		return q;
	if (!q->disk && ev->lane)
		q->disk = ev->lane->device;
	if (!q->begun && !event_is_note(ev)) {
		q->begun = true;
		q->since = ev->time;
	}
	return q;
}

/* The queue of an event's device; NULL: no room. */
static inline struct queue *queue_of(struct joiner *j, const struct event *ev)
{
	struct queue *q = j->last;

	if (LIKELY(q && q->device == ev->device && q->origin == ev->origin))
		return q;
	return j->last = change_queue(j, ev);
}

static COLD void note(struct joiner *j, struct queue *q, const struct event *ev)
{
	uint64_t dropped, since;
	struct imported of;

	j->counts.leftovers[JOINER_NOTE]++;
	j->last = NULL;		/* a device does not start with a note */
	if (payload_dropped(ev, &dropped, &since) ||
	    payload_missing(ev, &dropped, &since))
		queue_lost(j, q);
	if (payload_imported(ev, &of))
		q->imported = (uint8_t)of.times;
}

/* Why there is no queue; 0: too many. */
static int short_of_memory(const struct joiner *j)
{
	return j->starved ? -ENOMEM : 0;
}

/* The action is not joined, or there is no queue. */
static COLD void action_leave_out(struct joiner *j, struct queue *q,
			   const struct event *ev)
{
	bool data = event_number(ev) == BLK_TA_DRV_DATA;

	(void)q;
	j->counts.leftovers[data ? JOINER_DATA : JOINER_UNKNOWN]++;
	if (event_number(ev) == BLK_TA_COMPLETE)
		j->counts.leftover_bytes += ev->bytes;
}

/* Called where no I/O is in use. */
static COLD void evict(struct joiner *j, uint64_t now)
{
	while (j->open.count > j->bounds.ios) {
		j->counts.evicted++;
		leave_closed(j, &j->ios[j->open.first], IO_ENDED_EVICTED, now);
	}
}

/* Queues records in the order in which I/Os end. */
static void hand_out(struct joiner *j, struct open_io *io)
{
	struct request *rq = io->place == IO_RIDES ? &j->requests[io->rq] :
						     NULL;

	record_make(j, io, j->at);
	if (UNLIKELY(j->watcher))
		j->at->level = j->levels[open_number(j, io)];
	open_forget(j, io);
	if (rq && !--rq->leaving)
		open_request_forget(j, rq);
}

void joiner_make_at(struct joiner *j, struct io *at)
{
	j->at = at ? at : &j->record;
}

int joiner_next(struct joiner *j, const struct io **io)
{
	if (!j->leaving.count)
		return 0;
	hand_out(j, &j->ios[j->leaving.first]);
	*io = j->at;
	return 1;
}

/* Drops records that the caller did not take. */
static COLD void drop_records(struct joiner *j)
{
	while (j->leaving.count)
		hand_out(j, &j->ios[j->leaving.first]);
}

int joiner_event(struct joiner *j, const struct event *ev)
{
	uint32_t number = event_number(ev);
	struct queue *q = queue_of(j, ev);

	if (UNLIKELY(j->leaving.count))
		drop_records(j);
	if (UNLIKELY(!q)) {
		action_leave_out(j, NULL, ev);
		return short_of_memory(j);
	}
	if (UNLIKELY(event_is_note(ev))) {
		note(j, q, ev);
		return 0;
	}
	if (UNLIKELY(number >= BLK_TA_COUNT))
		number = 0;
	if (!table[number].fresh)
		open_settle(j, q);
	if (UNLIKELY(event_is_pc(ev) && table[number].command))
		action_command(j, q, ev);
	else
		table[number].act(j, q, ev);
	if (UNLIKELY(j->open.count > j->bounds.ios))
		evict(j, ev->time);
	return 0;
}

int joiner_gap(struct joiner *j, uint16_t origin, uint32_t device,
	       bool begins)
{
	struct queue *q = open_queue(j, origin, device);

	if (!q)
		return short_of_memory(j);
	q->in_holes += begins ? 1 : -1;
	queue_lost(j, q);
	return 0;
}

/* Marks all I/Os of a request that is not sure, for example one of several
 * still at a sector, where events may have been about another. */
static void doubt_all(struct joiner *j, uint32_t first)
{
	uint32_t n = j->ios[first].rq;
	struct request *rq = &j->requests[n];

	if (rq->by_start_too && index_at(&j->starts, n)->prev != n)
		rq->unsure = true;
	if (rq->state == REQUEST_GOT && rq->way & WAY_DISCARD)
		rq->unsure = true;	/* see may_be_merged() */
	if (!rq->unsure)
		return;
	for (n = first; n != OPEN_NONE; n = j->ios[n].next)
		j->ios[n].unsure = true;
}

/* A discard may have merged without an event until a D shows it. */
static bool may_be_merged(const struct joiner *j, const struct open_io *io)
{
	return way_of(io->categories) & WAY_DISCARD &&
	       j->queues[io->queue]->ways & QUEUE_GOT;
}

/* An open I/O is not sure unless all below are, which are younger. */
static void doubt_above(struct joiner *j)
{
	uint32_t n = j->open.first;

	for (; n != OPEN_NONE; n = j->ios[n].newer)
		if (j->ios[n].place == IO_WAITS)
			j->ios[n].unsure |=
				index_at(&j->waiting, n)->prev != n ||
				may_be_merged(j, &j->ios[n]);
		else if (j->ios[n].place == IO_RIDES &&
			 j->ios[n].prev == OPEN_NONE)
			doubt_all(j, n);
	for (n = j->open.last; n != OPEN_NONE; n = j->ios[n].older) {
		const struct rare_io *rare = open_has_rare(j, &j->ios[n]);

		if (rare && j->ios[n].unsure &&
		    open_is(j, rare->parent, rare->parent_id))
			j->ios[rare->parent].unsure = true;
	}
}

void joiner_end(struct joiner *j, uint64_t end, bool continues)
{
	j->continues = continues;
	j->end = end;
	drop_records(j);
	for (uint32_t i = 0; i < j->queue_count; i++)
		open_settle(j, j->queues[i]);
	doubt_above(j);
	while (j->open.count)
		leave_closed(j, &j->ios[j->open.first], IO_ENDED_OPEN, end);
	for (uint32_t i = 0; i < j->queue_count; i++) {
		struct queue *q = j->queues[i];
		uint32_t n = q->remaps.first;

		for (; n != OPEN_NONE; n = j->remaps[n].after)
			j->counts.leftovers[JOINER_REMAP] +=
				j->remaps[n].events;
	}
}

bool joiner_open(struct joiner *j, uint32_t *at, const struct io **io)
{
	const struct open_io *open;
	uint32_t n = *at ? j->ios[*at - 1].newer : j->open.first;

	if (n == OPEN_NONE)
		return false;
	open = &j->ios[n];
	*at = n + 1;
	record_make_open(j, open, &j->shown);
	*io = &j->shown;
	return true;
}

uint64_t joiner_ids(const struct joiner *j)
{
	return j->ids;
}

void joiner_count_from(struct joiner *j, uint64_t latest)
{
	j->ids = latest;
}

/* --- known values --------------------------------------------------------- */

uint64_t joiner_settled(const struct joiner *j)
{
	return j->leaving.count ? j->leaving_oldest : IO_NONE;
}

uint64_t joiner_oldest(const struct joiner *j)
{
	uint64_t open = j->open.count ? j->ios[j->open.first].time : IO_NONE;
	uint64_t settled = joiner_settled(j);

	return open < settled ? open : settled;
}

/* Records may have a disk's partitions as devices. */
uint64_t joiner_ghosts(const struct joiner *j, const struct device *disk)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < j->queue_count; i++)
		if (j->queues[i]->disk == disk)
			sum += j->queues[i]->ghosts;
	return sum;
}

const struct joiner_counts *joiner_counts(const struct joiner *j)
{
	return &j->counts;
}
