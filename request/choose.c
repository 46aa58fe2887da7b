/* SPDX-License-Identifier: GPL-2.0-only */
/* Chooses what an event is about; see choose.h. */
#include "base/hint.h"
#include "request/choose.h"
#include "request/open.h"
#include "request/open_queue.h"
#include "request/open_request.h"

/* --- waiting I/Os --------------------------------------------------------- */

/* those at one sector can only differ by their bytes */
static inline bool fits(const struct open_io *io, const struct event *ev)
{
	return io->bytes == ev->bytes && io->sector == ev->sector &&
	       io_same_way(io, ev);
}

/* The I/O that the event's process queued last, if it fits. */
static struct open_io *just_queued(struct joiner *j, struct queue *q,
				   const struct event *ev)
{
	uint32_t n = open_process(j, q, ev->pid)->last;
	struct open_io *io = &j->ios[n];

	if (UNLIKELY(n == OPEN_NONE) || io->place != IO_WAITS ||
	    io->queue != q->number || io->pid != ev->pid || !fits(io, ev))
		return NULL;
	return io;
}

/* The event may be about either. */
static inline void ios_unsure(struct open_io *a, struct open_io *b)
{
	a->unsure = b->unsure = true;
}

/* The latest from the event's process. */
static struct open_io *latest_own(struct joiner *j, uint32_t first,
				  const struct event *ev)
{
	uint32_t n = index_last(&j->waiting, first);
	uint32_t looks = j->bounds.chain;
	struct open_io *latest = NULL;

	for (; n != OPEN_NONE && looks--; n = index_before(&j->waiting, n)) {
		struct open_io *io = open_of_entry(j, n);

		if (!fits(io, ev) || io->pid != ev->pid)
			continue;
		if (latest) {
			ios_unsure(latest, io);
			break;
		}
		latest = io;
	}
	return latest;
}

/* The oldest of any process, which a worker takes next. */
static struct open_io *oldest_of_any(struct joiner *j, const struct queue *q,
				     uint32_t n, const struct event *ev)
{
	uint32_t looks = j->bounds.chain;
	struct open_io *best = NULL;

	for (; n != OPEN_NONE && looks--; n = index_next(&j->waiting, n)) {
		struct open_io *io = open_of_entry(j, n);

		if (!fits(io, ev))
			continue;
		if (best)
			ios_unsure(best, io);
		if (best && !is_doubtful(q, best->losses))
			break;
		if (!best || !is_doubtful(q, io->losses))
			best = io;
	}
	return best;
}

/* Chooses among several at the event's sector; n is the first. */
static struct open_io *one_waiting(struct joiner *j, struct queue *q,
				   uint32_t n, const struct event *ev)
{
	struct open_io *io = just_queued(j, q, ev);

	if (!io && open_process(j, q, ev->pid)->queued)
		io = latest_own(j, n, ev);
	return io ? io : oldest_of_any(j, q, n, ev);
}

struct open_io *choose_waiting(struct joiner *j, struct queue *q,
			       const struct event *ev)
{
	struct open_io *io;
	uint32_t n;

	if (LIKELY(q->fresh != OPEN_NONE)) {
		io = &j->ios[q->fresh];
		if (LIKELY(io->pid == ev->pid && fits(io, ev)))
			return io;
		open_settle_fresh(j, q);
	}
	n = index_first(&j->waiting, queue_space(q), ev->sector);
	if (UNLIKELY(n == OPEN_NONE))
		return NULL;
	if (UNLIKELY(index_next(&j->waiting, n) != OPEN_NONE))
		return one_waiting(j, q, n, ev);
	io = open_of_entry(j, n);
	return LIKELY(fits(io, ev)) ? io : NULL;
}

/*
 * Whether an append to the zone at start may have been written at sector. Zones
 * are powers of two of at least 1 MiB; the longest possible is the largest
 * power of two that divides the start.
 */
static bool in_zone(uint64_t start, uint64_t sector)
{
	uint64_t zone = start & (0 - start);

	return start < sector &&
	       (!start || (zone >= 2048 && sector - start < zone));
}

struct open_io *choose_append(struct joiner *j, struct queue *q,
			      const struct event *ev)
{
	struct open_io *best = NULL;
	uint32_t n = q->waiting.first, looks = j->bounds.looks;

	if (event_way(ev) != WAY_WRITE || !ev->bytes)
		return NULL;
	for (; n != OPEN_NONE && looks--; n = j->ios[n].after) {
		struct open_io *io = &j->ios[n];

		if (io->bytes != ev->bytes || io->kind == IO_PART ||
		    !io_same_way(io, ev) || !in_zone(io->sector, ev->sector))
			continue;
		if (best)
			ios_unsure(best, io);
		if (io->pid == ev->pid || !best)	/* own: the latest */
			best = io;	/* a worker's: the oldest */
	}
	return best;
}

/*
 * The I/O that holds the event's range, at sector; to_end: with the same end.
 */
static inline struct open_io *holder(struct joiner *j, const struct queue *q,
				     const struct event *ev, uint64_t sector,
				     bool to_end)
{
	struct open_io *latest = NULL, *other = NULL;
	uint32_t n = q->waiting.last, looks = j->bounds.looks;

	for (; n != OPEN_NONE && looks--; n = j->ios[n].before) {
		struct open_io *io = &j->ios[n];

		if (!io_holds(io, ev, sector) ||
		    (to_end && io_end(io) != event_end(ev)))
			continue;
		if (!io_same_way(io, ev)) {
			other = other ? other : io;
			continue;
		}
		if (latest) {
			ios_unsure(latest, io);
			break;
		}
		latest = io;
	}
	return latest ? latest : other;
}

struct open_io *choose_holder(struct joiner *j, struct queue *q,
			      const struct event *ev, uint64_t sector)
{
	return holder(j, q, ev, sector, false);
}

struct open_io *choose_trimmed(struct joiner *j, struct queue *q,
			       const struct event *ev)
{
	return holder(j, q, ev, ev->sector, true);
}

/* --- requests ------------------------------------------------------------- */

enum { DOUBTED = 8 };		/* of those at one sector, for an event */

/* What completes is at the driver, whether or not its D was seen. */
static inline bool may_grow(const struct request *rq, const struct event *ev)
{
	return rq->state == REQUEST_GOT && rq->bytes && !rq->done &&
	       rq->way == event_way(ev);
}

/*
 * Marks those in a chain, read from its end, that may have grown by the event.
 */
static COLD void muddle_grown(struct joiner *j, struct queue *q,
			      const struct index *x, uint32_t n,
			      const struct event *ev)
{
	uint32_t looks = DOUBTED;

	for (; n != OPEN_NONE && looks--; n = index_before(x, n))
		if (may_grow(&j->requests[n], ev))
			open_muddle(q, &j->requests[n], ev);
}

struct request *choose_mergeable(struct joiner *j, struct queue *q,
				 const struct event *ev, enum choose_edge edge)
{
	const struct index *x = edge == CHOOSE_BACK ? &j->ends : &j->starts;
	uint64_t key = edge == CHOOSE_BACK ? ev->sector : event_end(ev);
	uint32_t looks = j->bounds.chain, last, n;
	struct request *latest = NULL, *own = NULL;
	bool several = false;

	if (edge == CHOOSE_BACK)
		open_settle_ends(j, q);
	n = last = index_last(x, index_first(x, queue_space(q), key));
	for (; n != OPEN_NONE && looks--; n = index_before(x, n)) {
		struct request *rq = &j->requests[n];

		if (!may_grow(rq, ev))
			continue;
		several |= latest != NULL;
		latest = latest ? latest : rq;
		if (!own && request_first(j, rq)->pid == ev->pid)
			own = rq;
	}
	if (UNLIKELY(several || (q->muddled && open_in_muddle(q, ev))))
		muddle_grown(j, q, x, last, ev);
	return own ? own : latest;
}

/* The better of two has the lower rank, or else comes first. */
struct best {
	struct request *rq;
	unsigned int rank;
	int64_t left;		/* bytes of rq */
	struct request *rival;	/* an alternative for the event, or NULL */
};

/* Returns whether the search is over.  The event's size decides between
 * different sizes; requests of one size are rivals. */
static inline bool better(struct best *best, struct request *rq, int64_t left,
			  unsigned int rank)
{
	bool rivals = best->rq && left == best->left;

	if (best->rq && rank >= best->rank) {
		if (rivals)
			best->rival = rq;
	} else {
		best->rival = rivals ? best->rq : NULL;
		best->rq = rq;
		best->left = left;
		best->rank = rank;
	}
	return !best->rank && best->rival;
}

/* With a rival neither is sure.  Of several equal ones each is chosen or a
 * rival in turn, until one is left. */
static inline struct request *best_of(struct queue *q, const struct best *best)
{
	if (UNLIKELY(best->rival)) {
		q->doubted = true;
		best->rq->unsure = best->rival->unsure = true;
	}
	return best->rq;
}

static inline bool may_be(const struct request *rq, const struct event *ev,
			  unsigned int states)
{
	/* a zone reset has no bytes and never matches a write there */
	return states & 1u << rq->state && rq->way == event_way(ev) &&
	       !rq->bytes == !ev->bytes;
}

/*
 * The range of requests there is in doubt, as one may have had a merge that was
 * taken for another's.  All are if the chosen one has another size than the
 * event.
 */
static COLD void muddle_there(struct joiner *j, struct queue *q, uint32_t n,
			      const struct event *ev, unsigned int states)
{
	uint32_t looks = DOUBTED;

	for (; n != OPEN_NONE && looks--; n = index_next(&j->starts, n))
		if (may_be(&j->requests[n], ev, states))
			open_muddle(q, &j->requests[n], ev);
}

/* Chooses among several at the event's sector; n is the first. */
static APART struct request *one_request(struct joiner *j, struct queue *q,
					 uint32_t n, const struct event *ev,
					 unsigned int states)
{
	uint32_t looks = j->bounds.chain, i = n;
	bool insert = event_number(ev) == BLK_TA_INSERT;
	struct best best = { NULL, 0, 0, NULL };

	for (; i != OPEN_NONE && looks--; i = index_next(&j->starts, i)) {
		struct request *rq = &j->requests[i];
		int64_t left;

		if (!may_be(rq, ev, states))
			continue;
		left = request_left(rq);
		if (better(&best, rq, left,
			   (unsigned int)(left != ev->bytes) << 3 |
			   (unsigned int)is_doubtful(q, rq->losses) << 2 |
			   (request_first(j, rq)->pid != ev->pid) << 1 |
			   ((rq->i == NO_TIME) != insert)))
			break;
	}
	if (UNLIKELY(best.rank >> 3 || open_in_muddle(q, ev)))
		muddle_there(j, q, n, ev, states);
	return best_of(q, &best);
}

struct request *choose_request(struct joiner *j, struct queue *q,
			       const struct event *ev, unsigned int states)
{
	uint32_t n = index_first(&j->starts, queue_space(q), ev->sector);
	struct request *rq;

	if (UNLIKELY(n == OPEN_NONE))
		return NULL;
	if (UNLIKELY(index_next(&j->starts, n) != OPEN_NONE || q->muddled))
		return one_request(j, q, n, ev, states);
	rq = &j->requests[n];
	return LIKELY(may_be(rq, ev, states)) ? rq : NULL;
}

/* Keeps the longest time from D to C that is sure. */
static void note_slowest(struct queue *q, const struct request *rq,
			 uint64_t now)
{
	if (now > rq->d && now - rq->d > q->slowest)
		q->slowest = now - rq->d;
}

static inline bool may_complete(const struct request *rq,
				const struct event *ev)
{
	return rq->state == REQUEST_ISSUED && rq->way == event_way(ev) &&
	       (int64_t)ev->bytes <= request_left(rq);
}

/* Marks those with more bytes left than the C, which may be for a part. */
static COLD void muddle_parts(struct joiner *j, struct queue *q,
			      struct request *chosen, uint32_t n,
			      const struct event *ev)
{
	uint32_t looks = DOUBTED;

	for (; n != OPEN_NONE && looks--; n = index_next(&j->starts, n)) {
		struct request *rq = &j->requests[n];

		if (request_left(rq) == request_left(chosen) ||
		    !may_complete(rq, ev))
			continue;
		open_muddle(q, rq, ev);
		open_muddle(q, chosen, ev);
	}
}

/* Chooses among several at the event's sector; n is the first. */
static APART struct request *one_issued(struct joiner *j, struct queue *q,
					uint32_t n, const struct event *ev)
{
	uint32_t looks = j->bounds.chain, i = n;
	struct best best = { NULL, 0, 0, NULL };

	for (; i != OPEN_NONE && looks--; i = index_next(&j->starts, i)) {
		struct request *rq = &j->requests[i];
		int64_t left;

		if (!may_complete(rq, ev))
			continue;
		left = request_left(rq);
		if (better(&best, rq, left,
			   (unsigned int)(left != ev->bytes) << 2 |
			   (unsigned int)is_doubtful(q, rq->losses) << 1 |
			   (rq->cpu_d != ev->cpu)))
			break;
	}
	if (LIKELY(best.rq))
		muddle_parts(j, q, best.rq, n, ev);
	return best_of(q, &best);
}

struct request *choose_issued(struct joiner *j, struct queue *q,
			      const struct event *ev)
{
	uint32_t n = index_first(&j->starts, queue_space(q), ev->sector);
	struct request *rq;

	if (UNLIKELY(n == OPEN_NONE))
		return NULL;
	rq = &j->requests[n];
	if (UNLIKELY(index_next(&j->starts, n) != OPEN_NONE))
		rq = one_issued(j, q, n, ev);
	else if (UNLIKELY(!may_complete(rq, ev)))
		return NULL;
	else
		note_slowest(q, rq, ev->time);
	if (UNLIKELY(q->muddled) && rq && open_in_muddle(q, ev))
		open_muddle(q, rq, ev);
	return rq;
}

/* The oldest with the event's start.  Where events may have been about other
 * requests, the C may also belong to one that was taken to be completed. */
struct request *choose_appended(struct joiner *j, struct queue *q,
				const struct event *ev)
{
	uint32_t n = q->lists[LIST_APPENDS].last, looks = j->bounds.looks;
	struct request *best = NULL;

	if (event_way(ev) != WAY_WRITE ||
	    (ev->version == BLK_VERSION_8 &&
	     !event_has(ev, BLK_TC_ZONE_APPEND)))
		return NULL;
	for (; n != OPEN_NONE && looks--; n = j->requests[n].prev) {
		struct request *rq = &j->requests[n];

		/* appends are never merged */
		if (rq->state != REQUEST_ISSUED || rq->bytes != ev->bytes ||
		    rq->first != rq->last ||
		    !in_zone(request_at(rq), ev->sector))
			continue;
		if (best)
			best->unsure = rq->unsure = true;
		if (!best || request_at(rq) >= request_at(best))
			best = rq;
	}
	if (best)
		best->unsure |= q->doubted;
	return best;
}

/*
 * Empty flushes look alike.  Those that waited when a flush request was issued
 * end right after it, on its CPU, in order.  Each hardware queue has its own
 * flush request, for its CPUs; there are several queues if two were in flight
 * at a time.
 */
static unsigned int flush_rank(const struct joiner *j, const struct queue *q,
			       const struct request *rq,
			       const struct flush_cpu *f, uint64_t now)
{
	uint64_t g = request_g(j, rq), issued = f ? f->issued : now;

	return (unsigned int)(g == NO_TIME || g > issued) << 1 |
	       (q->two_flushes &&
		request_cpu_g(j, rq) != (f ? f->cpu_d : NO_CPU));
}

struct request *choose_empty(struct joiner *j, struct queue *q,
			     const struct event *ev)
{
	enum { WAITING_FLUSH = 8 };	/* after those that must end now */
	const struct flush_cpu *f = NULL;
	uint32_t n = index_first(&j->starts, queue_space(q), ev->sector);
	uint32_t looks = j->bounds.chain;
	struct best best = { NULL, 0, 0, NULL };

	if (n != OPEN_NONE)
		f = open_flush_cpu(j, q, (uint16_t)ev->cpu, false);
	if (f && !f->id)	/* issued here, but none was completed */
		f = NULL;
	for (; n != OPEN_NONE && looks--; n = index_next(&j->starts, n)) {
		struct request *rq = &j->requests[n];
		unsigned int rank = is_doubtful(q, rq->losses);

		if (rq->state != REQUEST_POST &&
		    (rq->bytes || rq->way != event_way(ev)))
			continue;
		/* issued without bytes: a zone's reset, open, finish ... */
		if (rq->state != REQUEST_POST && rq->state != REQUEST_ISSUED)
			rank |= WAITING_FLUSH |
				flush_rank(j, q, rq, f, ev->time) << 1;
		if (better(&best, rq, request_left(rq), rank))
			break;
	}
	return best_of(q, &best);
}
