/* SPDX-License-Identifier: GPL-2.0-only */
/* I/Os until they are in a request; plugs. */
#include "base/hint.h"
#include "record/action.h"
#include "record/payload.h"
#include "request/actions.h"
#include "request/choose.h"
#include "request/leave.h"
#include "request/open.h"
#include "request/open_queue.h"
#include "request/open_request.h"
#include "request/remap.h"
#include "request/riders.h"

/* --- split ---------------------------------------------------------------- */

/* Splits: an I/O becomes several. */

/* Device mapper's event has the rest, not the part.  It keeps one bio, cut from
 * the front, and the C of the last rest ends it. */
static void trim(struct joiner *j, struct queue *q, const struct event *ev)
{
	struct open_io *io = choose_trimmed(j, q, ev);

	if (!io) {
		j->counts.leftovers[JOINER_GHOST_X]++;
		return;
	}
	io->events++;
	open_rare(j, io)->rest = ev->sector;
	open_teach(j, q, io, ev->sector);
}

/* The waiting I/O that is split at a sector inside of it, or NULL. */
static struct open_io *find_split(struct joiner *j, struct queue *q,
				  const struct event *ev, uint64_t at)
{
	uint32_t n = index_first(&j->waiting, queue_space(q), ev->sector);
	uint32_t looks = j->bounds.chain;
	struct open_io *found = NULL;

	for (; n != OPEN_NONE && looks--; n = index_next(&j->waiting, n)) {
		struct open_io *io = open_of_entry(j, n);

		if (io->sector != ev->sector || !io_same_way(io, ev) ||
		    at <= io->sector || at >= io_end(io))
			continue;
		found = io;
		if (io->pid == ev->pid)
			break;
	}
	return found;
}

static void copy_origin(struct joiner *j, struct open_io *to,
			struct open_io *from)
{
	struct more_io *more = open_more(j, to), *its = open_more(j, from);

	more->remapped = its->remapped;
	more->from_device = its->from_device;
	more->from_sector = its->from_sector;
}

/* Starts a part at an X.  root: the parent of from, or NULL if it has ended. */
static struct open_io *part_of(struct joiner *j, struct queue *q,
			       const struct event *ev, struct open_io *from,
			       struct open_io *root)
{
	struct open_io *io = open_begin(j, q, ev, IO_PART, 'X');
	struct rare_io *rare = open_rare(j, io);

	io->events = 0;
	io->categories = from->categories;
	copy_origin(j, io, from);
	rare->link = IO_SPLIT;
	rare->parent_id = root ? root->id : open_rare(j, from)->parent_id;
	if (root) {
		rare->parent = open_number(j, root);
		open_rare(j, root)->parts++;
	}
	return io;
}

/* The first part takes over the I/O's place. */
static struct open_io *first_part(struct joiner *j, struct queue *q,
				  const struct event *ev, struct open_io *root)
{
	struct rare_io *mine, *its = open_rare(j, root);
	struct open_io *left;

	open_absorbed(j, root);
	left = part_of(j, q, ev, root, root);
	left->sector = root->sector;
	left->bytes = root->bytes;
	its->x = ev->time;
	if (its->zone_plugged == NO_TIME)
		return left;
	mine = open_rare(j, left);
	mine->zone_plugged = its->zone_plugged;
	return left;
}

/* An I/O becomes two parts; splitting a part adds one more. */
static void split(struct joiner *j, struct queue *q, const struct event *ev,
		  struct open_io *io, uint64_t at)
{
	struct open_io *root = io, *left = io, *right;
	const struct rare_io *rare = open_rare(j, io);

	open_process(j, q, ev->pid)->last = OPEN_NONE;
	open_unwait(j, q, io);
	if (rare->link != IO_SPLIT)
		left = first_part(j, q, ev, root);
	else if (open_is(j, rare->parent, rare->parent_id))
		root = &j->ios[rare->parent];
	else
		root = NULL;
	(root ? root : left)->events++;
	right = part_of(j, q, ev, left, root);
	right->sector = at;
	right->bytes = (uint32_t)((io_end(left) - at) << 9);
	left->bytes -= right->bytes;
	open_wait(j, q, left);
	open_wait(j, q, right);
}

void action_split(struct joiner *j, struct queue *q, const struct event *ev)
{
	struct open_io *io = NULL;
	uint64_t at;

	if (payload_number(ev, &at)) {
		if (at == ev->sector) {
			trim(j, q, ev);
			return;
		}
		io = find_split(j, q, ev, at);
	}
	if (!io) {
		j->counts.leftovers[JOINER_GHOST_X]++;
		return;
	}
	split(j, q, ev, io, at);
}

/* --- submit --------------------------------------------------------------- */

void action_queue(struct joiner *j, struct queue *q, const struct event *ev)
{
	struct open_io *io = open_begin(j, q, ev, IO_BIO, 'Q');
	struct process *p = open_process(j, q, ev->pid);

	p->queued = q->queued = true;
	p->last = open_number(j, io);
	remap_claim(j, q, ev, io);
	open_wait_fresh(j, q, io);
}

/* Its Q was not seen: it starts here. */
static struct open_io *begin_late(struct joiner *j, struct queue *q,
				  const struct event *ev)
{
	struct open_io *io;

	if (open_process(j, q, ev->pid)->queued)
		queue_lost(j, q);	/* its Q is lost */
	io = open_begin(j, q, ev, IO_BIO, *action_text(event_number(ev)));
	remap_claim(j, q, ev, io);
	return io;
}

static void note_zone_plug(struct joiner *j, struct open_io *io, uint64_t now)
{
	struct rare_io *rare = open_has_rare(j, io);

	if (UNLIKELY(rare && rare->zone_plugged != NO_TIME))
		rare->zplug = now > rare->zone_plugged ?
			now - rare->zone_plugged : 0;
}

/* The I/O that the event is about, or a new one if NULL, no longer waits. */
static struct open_io *stop_waiting(struct joiner *j, struct queue *q,
				    const struct event *ev, struct open_io *io)
{
	if (io) {
		io->events++;
		open_unwait(j, q, io);
		note_zone_plug(j, io, ev->time);
		return io;
	}
	return begin_late(j, q, ev);
}

void action_sleep(struct joiner *j, struct queue *q, const struct event *ev)
{
	struct open_io *io = stop_waiting(j, q, ev, choose_waiting(j, q, ev));

	open_process(j, q, io->pid)->last = open_number(j, io);
	open_wait(j, q, io);
}

/* --- G -------------------------------------------------------------------- */

/* An append that the kernel makes a write: its Q has the zone, its G the sector
 * of the zone's next write. */
static struct open_io *appended(struct joiner *j, struct queue *q,
				const struct event *ev)
{
	struct open_io *io = choose_append(j, q, ev);

	if (io)
		open_rare(j, io)->at = ev->sector;
	return io;
}

static bool is_from_above(const struct joiner *j, const struct open_io *io,
			  const struct queue *q)
{
	const struct more_io *more = open_has_more(j, io);

	return more && more->remapped &&
	       BLK_MAJOR(more->from_device) != BLK_MAJOR(q->device);
}

/* Whoever waits for a flush does nothing else, except devices above: if the
 * same process flushes again, the C of the last flush was lost. */
static void wait_for_flush(struct joiner *j, struct queue *q,
			   const struct event *ev, struct request *rq)
{
	uint32_t n = q->lists[LIST_WAITERS].first, next;
	uint32_t looks = j->bounds.looks;

	if (is_from_above(j, request_first(j, rq), q))
		n = OPEN_NONE;
	for (; n != OPEN_NONE && looks--; n = next) {
		struct request *old = &j->requests[n];

		next = old->next;
		if (request_first(j, old)->pid != ev->pid)
			continue;
		queue_lost(j, q);
		leave_request_closed(j, old, IO_ENDED_LOST, ev->time);
	}
	open_list(j, rq, LIST_WAITERS, OPEN_NONE);
}

static void plug(struct joiner *j, struct queue *q, const struct event *ev,
		 struct request *rq)
{
	struct process *p = open_process(j, q, ev->pid);

	if (UNLIKELY(rq->fua && q->no_fua))	/* to the flush machinery */
		return;
	if (p->plug.count < j->bounds.plugged)
		open_list(j, rq, LIST_PLUG, (uint32_t)(p - j->processes));
}

void action_get(struct joiner *j, struct queue *q, const struct event *ev)
{
	struct open_io *io = choose_waiting(j, q, ev);
	struct request *rq;

	if (UNLIKELY(!io))
		io = appended(j, q, ev);
	io = stop_waiting(j, q, ev, io);
	io->got = ev->time;
	q->ways |= QUEUE_GOT;
	rq = riders_start(j, q, ev, io);
	if (UNLIKELY(io->birth == 'G'))	/* whose was the Q? */
		rq->unsure = q->queued;
	if (!rq->pre)
		plug(j, q, ev, rq);
	else if (rq->bytes)	/* to the flush machinery */
		open_list(j, rq, LIST_DATA, OPEN_NONE);
	else
		wait_for_flush(j, q, ev, rq);
}

/* --- M F ------------------------------------------------------------------ */

static struct open_io *merge(struct joiner *j, struct queue *q,
			     const struct event *ev, enum io_merge how)
{
	struct open_io *io = stop_waiting(j, q, ev, choose_waiting(j, q, ev));

	open_merge(j, io, how);
	io->got = ev->time;
	return io;
}

/* Appends a request to the one that ends where it starts. */
static void merge_requests(struct joiner *j, struct queue *q,
			   const struct event *ev)
{
	struct request *next = choose_request(j, q, ev, 1u << REQUEST_GOT);
	uint32_t n, looks = j->bounds.chain;

	open_settle_ends(j, q);
	n = index_last(&j->ends, index_first(&j->ends, queue_space(q),
					     ev->sector));
	for (; next && n != OPEN_NONE && looks--;
	     n = index_before(&j->ends, n)) {
		struct request *rq = &j->requests[n];

		if (rq->state != REQUEST_GOT || !rq->bytes || rq->done ||
		    next->done || rq == next ||
		    rq->way != event_way(ev))
			continue;
		rq->events++;
		riders_join(j, q, rq, next, ev->time);
		return;
	}
	j->counts.leftovers[JOINER_GHOST_M]++;
}

/* Merges into a request that was not seen, or was taken for another. */
static COLD void merge_alone(struct joiner *j, struct queue *q,
			     const struct event *ev, struct open_io *io)
{
	riders_start(j, q, ev, io)->unsure = q->doubted;
}

void action_merge_back(struct joiner *j, struct queue *q,
		       const struct event *ev)
{
	struct request *rq;
	struct open_io *io;

	if (event_has(ev, BLK_TC_FS)) {
		merge_requests(j, q, ev);
		return;
	}
	rq = choose_mergeable(j, q, ev, CHOOSE_BACK);
	io = merge(j, q, ev, IO_MERGED_BACK);
	if (rq)
		riders_add_back(j, q, rq, io);
	else
		merge_alone(j, q, ev, io);
}

void action_merge_front(struct joiner *j, struct queue *q,
			const struct event *ev)
{
	struct request *rq = choose_mergeable(j, q, ev, CHOOSE_FRONT);
	struct open_io *io = merge(j, q, ev, IO_MERGED_FRONT);

	if (rq)
		riders_add_front(j, q, rq, io);
	else
		merge_alone(j, q, ev, io);
}

/* --- plugs ---------------------------------------------------------------- */

void action_plug(struct joiner *j, struct queue *q, const struct event *ev)
{
	struct process *p = open_process(j, q, ev->pid);

	j->counts.leftovers[JOINER_QUEUE]++;
	p->plugged = true;
	p->stayed = false;
}

/* Start of its time in its request's plug: its M, if it had one; or NO_TIME. */
static inline uint64_t held_since(const struct joiner *j,
				  const struct open_io *io)
{
	const struct rare_io *rare = open_has_rare(j, io);
	bool is_m = io->merge != IO_NOT_MERGED && io->got != NO_TIME;

	return !rare || rare->other == NO_TIME || is_m ? io->got : rare->other;
}

/* Adds the time in the plug to each I/O of a request. */
static void note_plug(struct joiner *j, const struct request *rq, uint64_t now)
{
	for (uint32_t n = rq->first; n != OPEN_NONE; n = j->ios[n].next) {
		struct open_io *io = &j->ios[n];
		uint64_t since = held_since(j, io);

		if (since != NO_TIME && io->plug == NO_TIME)
			io->plug = now > since ? now - since : 0;
	}
}

static void doubt_plug(struct joiner *j, const struct process *p)
{
	uint32_t n = p->plug.first, looks = j->bounds.looks;

	for (; n != OPEN_NONE && looks--; n = j->requests[n].next)
		j->requests[n].unsure = true;
}

/*
 * More requests seem to be in the plug than leave it.  One more is normal if
 * the plug was full.  FUA requests may have gone to the flush machinery
 * instead, as D's will show.  Any that is not sure may have left before.
 */
static COLD void check_plug(struct joiner *j, const struct queue *q,
			    const struct process *p, uint64_t about)
{
	uint32_t n = p->plug.first, next, looks = j->bounds.looks;
	bool doubt = p->plug.count > about + 1;

	for (; n != OPEN_NONE && looks--; n = next) {
		struct request *rq = &j->requests[n];

		next = rq->next;
		doubt |= rq->unsure;
		if (!rq->fua || q->has_fua || p->plug.count <= about)
			continue;
		rq->unsure = doubt = true;
		open_unlist(j, rq);
	}
	if (doubt)
		doubt_plug(j, p);
}

/*
 * The event says how many requests leave, the first: a full plug is emptied
 * before the request with the last G enters it.  That one's P follows, unless
 * it is on another disk.
 */
void action_unplug(struct joiner *j, struct queue *q, const struct event *ev)
{
	struct process *p = open_process(j, q, ev->pid);
	uint64_t about;

	j->counts.leftovers[JOINER_QUEUE]++;
	if (!payload_number(ev, &about) || !about)
		about = p->plug.count;
	if (UNLIKELY(about < p->plug.count))
		check_plug(j, q, p, about);
	if (UNLIKELY(p->stayed))
		doubt_plug(j, p);
	for (; about && p->plug.first != OPEN_NONE; about--) {
		struct request *rq = &j->requests[p->plug.first];

		open_unlist(j, rq);
		if (p->plugged)
			note_plug(j, rq, ev->time);
	}
	p->plugged = false;
	p->stayed = p->plug.count;
}

/* --- zones ---------------------------------------------------------------- */

static struct rare_io *zoned(struct joiner *j, struct queue *q,
			     const struct event *ev, bool plugged)
{
	uint32_t n = index_first(&j->waiting, queue_space(q), ev->sector);
	uint32_t looks = j->bounds.chain;

	for (; n != OPEN_NONE && looks--; n = index_next(&j->waiting, n)) {
		struct open_io *io = open_of_entry(j, n);
		struct rare_io *rare = open_has_rare(j, io);
		bool is = rare && rare->zone_plugged != NO_TIME;

		if (io->sector != ev->sector || is != plugged)
			continue;
		io->events++;
		return open_rare(j, io);
	}
	return NULL;
}

void action_zone_plug(struct joiner *j, struct queue *q, const struct event *ev)
{
	struct rare_io *rare = zoned(j, q, ev, false);

	if (rare)
		rare->zone_plugged = ev->time;
	else
		j->counts.leftovers[JOINER_ZONE]++;
}

void action_zone_unplug(struct joiner *j, struct queue *q,
			const struct event *ev)
{
	if (!zoned(j, q, ev, true))
		j->counts.leftovers[JOINER_ZONE]++;
}
