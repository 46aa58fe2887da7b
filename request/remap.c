/* SPDX-License-Identifier: GPL-2.0-only */
/* Remaps; see remap.h. */
#include <stdint.h>

#include "base/hint.h"
#include "record/payload.h"
#include "request/actions.h"
#include "request/choose.h"
#include "request/items.h"
#include "request/open.h"
#include "request/open_queue.h"
#include "request/remap.h"
#include "request/slots.h"

/* --- open remap ----------------------------------------------------------- */

/* Remaps that wait for their I/O. */

/* a remap to fill in and enter; NULL: too many */
static struct remap_wait *open_remap(struct joiner *j, struct queue *q)
{
	uint32_t n = TAKE(j->unused_remaps, j->remaps, after);

	if (n == OPEN_NONE)
		return NULL;
	j->remaps[n].queue = q->number;
	return &j->remaps[n];
}

/* makes it known by a sector, and the last of its process; undoes that */
static void open_remap_enter(struct joiner *j, struct queue *q,
			     struct remap_wait *r, uint64_t sector)
{
	uint32_t n = (uint32_t)(r - j->remaps);
	struct process *p = open_process(j, q, r->pid);

	index_add(&j->remapped, n, queue_space(q), sector);
	LIST_APPEND(&q->remaps, j->remaps, n, before, after);
	p->remap = n;
}

static void open_remap_leave(struct joiner *j, struct remap_wait *r)
{
	uint32_t n = (uint32_t)(r - j->remaps);
	struct queue *q = j->queues[r->queue];
	struct process *p = open_process(j, q, r->pid);

	if (p->remap == n)
		p->remap = OPEN_NONE;
	index_remove(&j->remapped, n);
	LIST_REMOVE(&q->remaps, j->remaps, n, before, after);
}

/* undoes that and frees it */
static void open_remap_forget(struct joiner *j, struct remap_wait *r)
{
	open_remap_leave(j, r);
	r->after = unused_give(&j->unused_remaps, (uint32_t)(r - j->remaps));
}

/* --- the I/O above -------------------------------------------------------- */

static bool may_be_above(const struct open_io *io, const struct event *ev,
			 uint64_t sector)
{
	return io_same_way(io, ev) &&
	       (io_holds(io, ev, sector) || (!io->bytes && !ev->bytes));
}

/* Of those with that sector the process's last, else the first. */
static struct open_io *known_above(struct joiner *j, struct queue *q,
				   uint64_t sector, const struct event *ev)
{
	uint32_t n = index_first(&j->waiting, queue_space(q), sector);
	uint32_t looks = j->bounds.chain;
	struct open_io *best = NULL;

	for (; n != OPEN_NONE && looks--; n = index_next(&j->waiting, n)) {
		struct open_io *io = open_of_entry(j, n);

		if (!may_be_above(io, ev, sector))
			continue;
		if (best)
			best->unsure = io->unsure = true;
		if (!best || io->pid == ev->pid)
			best = io;
	}
	return best;
}

/* On a device that remaps requests: the lead of one at the driver. */
static struct open_io *request_above(struct joiner *j, struct queue *q,
				     uint64_t sector, const struct event *ev)
{
	uint32_t n = index_first(&j->starts, queue_space(q), sector);
	uint32_t looks = j->bounds.chain;

	for (; n != OPEN_NONE && looks--; n = index_next(&j->starts, n)) {
		struct request *rq = &j->requests[n];

		if (rq->state == REQUEST_ISSUED && rq->bytes == ev->bytes)
			return request_first(j, rq);
	}
	return NULL;
}

static struct open_io *above(struct joiner *j, struct queue *q, uint64_t sector,
			     const struct event *ev)
{
	struct open_io *io = known_above(j, q, sector, ev);

	if (!io)
		io = request_above(j, q, sector, ev);
	if (io || !ev->bytes)
		return io;
	io = choose_holder(j, q, ev, sector);
	if (io)
		open_teach(j, q, io, sector);	/* found directly next time */
	return io;
}

/* --- A -------------------------------------------------------------------- */

enum { EXTENDED = 259 };	/* the kernel's BLOCK_EXT_MAJOR */

/*
 * Whether a waiting remap may be the event's: of a Q, or of a further remap of
 * the same bio from a partition to its disk.  A thread of the device above may
 * submit for the process of the first.
 */
static bool remap_fits(const struct remap_wait *r, const struct event *ev,
		       const struct remap *further)
{
	uint32_t major;

	if (r->bytes != ev->bytes || r->way != event_way(ev))
		return false;
	if (!further)
		return true;
	major = BLK_MAJOR(further->from);
	return r->from_device != further->from &&
	       (major == BLK_MAJOR(ev->device) || major == EXTENDED);
}

/* It may be another's, so what is below the I/O above is not sure. */
static void remap_unsure(struct joiner *j, struct remap_wait *r)
{
	r->unsure = true;
	if (open_is(j, r->parent, r->parent_id))
		j->ios[r->parent].unsure = true;
}

/* The process's last, else the oldest; not sure if several wait at a sector. */
static APART struct remap_wait *
one_remap(struct joiner *j, struct queue *q, const struct event *ev,
	  uint64_t sector, const struct remap *further)
{
	uint32_t n = index_first(&j->remapped, queue_space(q), sector);
	uint32_t looks = j->bounds.chain;
	struct remap_wait *best = NULL;

	for (; n != OPEN_NONE && looks--; n = index_next(&j->remapped, n)) {
		struct remap_wait *r = &j->remaps[n];

		if (!remap_fits(r, ev, further))
			continue;
		if (best) {
			remap_unsure(j, best);
			remap_unsure(j, r);
		}
		if (!best || r->pid == ev->pid)
			best = r;
	}
	return best;
}

/* The same; usually only one waits. */
static inline struct remap_wait *
choose_remap(struct joiner *j, struct queue *q, const struct event *ev,
	     uint64_t sector, const struct remap *further)
{
	uint32_t n = q->remaps.first;
	struct remap_wait *r = &j->remaps[n];

	if (UNLIKELY(q->remaps.count > 1))
		return one_remap(j, q, ev, sector, further);
	return index_is_under(&j->remapped, n, queue_space(q), sector) &&
		       remap_fits(r, ev, further) ? r : NULL;
}

/*
 * Whether the same bio continues from a partition to its disk.  The process
 * that remaps it here queues it next, whichever process sent it, as another
 * remap may wait for a partition's sector of that number.
 */
static bool continues_bio(struct joiner *j, struct queue *q,
			  const struct event *ev, const struct remap *to)
{
	struct remap_wait *r;

	if (LIKELY(!q->remaps.count))
		return false;
	r = choose_remap(j, q, ev, to->sector, to);
	if (!r)
		return false;
	open_remap_leave(j, r);
	r->events++;
	r->pid = ev->pid;
	open_remap_enter(j, q, r, ev->sector);
	return true;
}

static void drop_oldest(struct joiner *j, struct queue *q)
{
	struct remap_wait *old = &j->remaps[q->remaps.first];

	j->counts.leftovers[JOINER_REMAP] += old->events;
	open_remap_forget(j, old);
}

/* Adds a remap that waits for its I/O. */
static void announce(struct joiner *j, struct queue *q, const struct event *ev,
		     const struct remap *to)
{
	struct queue *upper = NULL;
	struct open_io *io = NULL;
	struct remap_wait *r;

	if (to->from != ev->device)
		upper = open_find_queue(j, ev->origin, to->from);
	if (upper) {
		open_settle(j, upper);
		io = above(j, upper, to->sector, ev);
	}
	r = open_remap(j, q);
	if (!r) {
		j->counts.leftovers[JOINER_REMAP]++;
		return;
	}
	r->time = ev->time;
	r->bytes = ev->bytes;
	r->way = event_way(ev);
	r->pid = ev->pid;
	r->events = 1;
	r->from_device = to->from;
	r->from_sector = to->sector;
	r->parent = io ? open_number(j, io) : OPEN_NONE;
	r->parent_id = io ? io->id : 0;
	/* where Q's are seen, the I/O above was taken for another */
	r->unsure = io ? io->unsure : upper && upper->queued;
	open_remap_enter(j, q, r, ev->sector);
}

void action_remap(struct joiner *j, struct queue *q, const struct event *ev)
{
	struct remap to;

	if (!payload_remap(ev, &to)) {
		j->counts.leftovers[JOINER_UNKNOWN]++;
		return;
	}
	if (!continues_bio(j, q, ev, &to))
		announce(j, q, ev, &to);
	if (q->remaps.count > j->bounds.remaps)
		drop_oldest(j, q);
}

/* --- the I/O below -------------------------------------------------------- */

static void link_to(struct joiner *j, struct open_io *io,
		    const struct remap_wait *r)
{
	struct rare_io *mine, *rare;
	struct open_io *upper;

	if (!r->parent_id)
		return;
	mine = open_rare(j, io);
	mine->parent_id = r->parent_id;
	mine->link = IO_REMAP;
	if (!open_is(j, r->parent, r->parent_id))
		return;
	upper = &j->ios[r->parent];
	rare = open_rare(j, upper);
	mine->parent = r->parent;
	rare->children++;
	rare->passed |= io->birth == 'A';
	if (rare->a == NO_TIME)
		rare->a = r->time;
}

void remap_claim(struct joiner *j, struct queue *q, const struct event *ev,
		 struct open_io *io)
{
	struct more_io *more;
	struct remap_wait *r;

	if (LIKELY(!q->remaps.count))
		return;
	r = choose_remap(j, q, ev, ev->sector, NULL);
	if (!r)
		return;
	if (io->birth != 'Q') {		/* no Q came: it started with A */
		io->birth = 'A';
		io->time = r->time;
	}
	io->events += r->events;
	io->unsure |= r->unsure;
	more = open_more(j, io);
	more->remapped = true;
	more->from_device = r->from_device;
	more->from_sector = r->from_sector;
	link_to(j, io, r);
	open_remap_forget(j, r);
}
