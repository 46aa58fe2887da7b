/* SPDX-License-Identifier: GPL-2.0-only */
/* The I/Os of a request; see riders.h. */
#include "record/action.h"
#include "request/open.h"
#include "request/open_request.h"
#include "request/remap.h"
#include "request/riders.h"

/* --- indices -------------------------------------------------------------- */

void riders_enter_start(struct joiner *j, struct queue *q, struct request *rq)
{
	index_add(&j->starts, open_request_number(j, rq), queue_space(q),
		  request_at(rq));
	rq->by_start_too = true;
}

void riders_enter(struct joiner *j, struct queue *q, struct request *rq)
{
	riders_enter_start(j, q, rq);
	if (rq->state == REQUEST_GOT)
		open_end(j, q, rq);
}

void riders_leave_start(struct joiner *j, struct request *rq)
{
	if (!rq->by_start_too)
		return;
	index_remove(&j->starts, open_request_number(j, rq));
	rq->by_start_too = false;
}

void riders_close(struct joiner *j, struct queue *q, struct request *rq)
{
	if (!rq->by_end_too)
		return;
	open_end_no_more(j, q, rq);
	rq->c = rq->preflushed = NO_TIME;
	rq->flush = 0;
}

void riders_hide(struct joiner *j, struct queue *q, struct request *rq)
{
	riders_leave_start(j, rq);
	riders_close(j, q, rq);
	if (rq->list == LIST_PLUG || rq->list == LIST_APPENDS)
		open_unlist(j, rq);
}

/* --- lists of I/Os -------------------------------------------------------- */

/* a list of I/Os, not of a request yet */
struct row {
	uint32_t first, last;	/* or OPEN_NONE */
};

static const struct row empty = { OPEN_NONE, OPEN_NONE };

static void row_add(struct joiner *j, struct row *row, uint32_t first,
		    uint32_t last)
{
	if (first == OPEN_NONE)
		return;
	j->ios[first].prev = row->last;
	if (row->last != OPEN_NONE)
		j->ios[row->last].next = first;
	else
		row->first = first;
	row->last = last;
}

static struct row row_of(const struct request *rq)
{
	return (struct row){ rq->first, rq->last };
}

/* Only the first I/O knows its request, so lists are joined at once. */
static void row_to(struct joiner *j, struct request *rq, const struct row *row)
{
	rq->first = rq->reached = row->first;
	rq->last = row->last;
	j->ios[row->first].rq = open_request_number(j, rq);
}

struct request *riders_request(struct joiner *j, const struct open_io *io)
{
	while (io->prev != OPEN_NONE)
		io = &j->ios[io->prev];
	return &j->requests[io->rq];
}

/* Puts an I/O, which does not wait, in a list of one. */
static uint32_t make_row(struct joiner *j, struct open_io *io)
{
	const struct rare_io *rare = open_has_rare(j, io);

	io->place = IO_RIDES;
	io->c = NO_TIME;
	io->plug = rare ? rare->plug : NO_TIME;
	io->prev = io->next = OPEN_NONE;
	return open_number(j, io);
}


/* The request does what the I/O asks for; own: its number, if it got it. */
static void lead_by(struct request *rq, const struct open_io *io, uint32_t own)
{
	rq->own = own;
	rq->pre = !!(io->categories & BLK_TC_BIT(BLK_TC_FLUSH));
	rq->fua = !!(io->categories & BLK_TC_BIT(BLK_TC_FUA));
}

/* Makes the I/O the only one of the request. */
static void carry(struct joiner *j, struct request *rq, struct open_io *io)
{
	uint32_t n = make_row(j, io);
	struct row row = { n, n };

	row_to(j, rq, &row);
	rq->own = n;
}

struct request *riders_start(struct joiner *j, struct queue *q,
			     const struct event *ev, struct open_io *io)
{
	struct request *rq = open_request(j, q, ev);

	rq->losses = io->losses;
	carry(j, rq, io);
	lead_by(rq, io, io->merge == IO_NOT_MERGED ? rq->first : OPEN_NONE);
	riders_enter(j, q, rq);
	return rq;
}

struct request *riders_bare(struct joiner *j, struct queue *q,
			    const struct event *ev, struct open_io *io)
{
	struct request *rq = open_request(j, q, ev);

	rq->losses = io->losses;
	carry(j, rq, io);
	return rq;
}

void riders_add_back(struct joiner *j, struct queue *q, struct request *rq,
		     struct open_io *io)
{
	struct row row = row_of(rq);
	uint32_t n = make_row(j, io);

	riders_close(j, q, rq);
	row_add(j, &row, n, n);
	row_to(j, rq, &row);
	rq->bytes += io->bytes;
	open_end(j, q, rq);
}

void riders_add_front(struct joiner *j, struct queue *q, struct request *rq,
		      struct open_io *io)
{
	uint32_t n = make_row(j, io);
	struct row row = { n, n };

	riders_leave_start(j, rq);
	row_add(j, &row, rq->first, rq->last);
	row_to(j, rq, &row);
	rq->sector = io->sector;
	rq->bytes += io->bytes;
	riders_enter_start(j, q, rq);
}

/* --- joined requests ------------------------------------------------------ */

/* Ends next; returns its I/Os, which move to rq. */
static struct row absorb(struct joiner *j, struct queue *q, struct request *rq,
			 struct request *next, uint64_t time)
{
	struct row row = row_of(next);

	riders_hide(j, q, next);
	open_unlist(j, next);
	open_unmuddle(q, next);
	rq->events += next->events;
	rq->unsure |= next->unsure;
	open_done(j, request_first(j, next), next->done);
	if (next->own != OPEN_NONE) {
		open_merge(j, &j->ios[next->own], IO_MERGED_REQUEST);
		j->ios[next->own].got = time;
	}
	open_request_forget(j, next);
	return row;
}

void riders_join(struct joiner *j, struct queue *q, struct request *rq,
		 struct request *next, uint64_t time)
{
	struct row row = row_of(rq), more;

	riders_close(j, q, rq);
	rq->bytes += next->bytes;
	more = absorb(j, q, rq, next, time);
	row_add(j, &row, more.first, more.last);
	row_to(j, rq, &row);
	open_end(j, q, rq);
}

/* --- merges without an event ---------------------------------------------- */

/* A request at a sector, entirely in the event's range. */
static struct request *request_inside(struct joiner *j, struct queue *q,
				      const struct request *rq, uint64_t at,
				      const struct event *ev)
{
	uint32_t n = index_first(&j->starts, queue_space(q), at);
	uint32_t looks = j->bounds.chain;

	for (; n != OPEN_NONE && looks--; n = index_next(&j->starts, n)) {
		struct request *r = &j->requests[n];

		if (r != rq && r->state == REQUEST_GOT &&
		    at < request_end(r) && request_end(r) <= event_end(ev) &&
		    r->way == event_way(ev))
			return r;
	}
	return NULL;
}

/* The same for a waiting I/O. */
static struct open_io *io_inside(struct joiner *j, struct queue *q, uint64_t at,
				 const struct event *ev)
{
	uint32_t n = index_first(&j->waiting, queue_space(q), at);
	uint32_t looks = j->bounds.chain;
	struct open_io *best = NULL;

	for (; n != OPEN_NONE && looks--; n = index_next(&j->waiting, n)) {
		struct open_io *io = open_of_entry(j, n);

		if (io->sector != at || io_end(io) <= at ||
		    !io_within(io, ev) || !io_same_way(io, ev))
			continue;
		if (best)
			best->unsure = io->unsure = true;
		if (!best || (is_doubtful(q, best->losses) &&
			      !is_doubtful(q, io->losses)))
			best = io;
	}
	return best;
}

static uint32_t board_silently(struct joiner *j, struct queue *q,
			       struct open_io *io)
{
	open_unwait(j, q, io);
	open_merge(j, io, IO_MERGED_SILENT);
	return make_row(j, io);
}

/* Adds what is known at a sector to the list.  Returns the sector after it, or
 * the next one to look at. */
static uint64_t fill_at(struct joiner *j, struct queue *q, struct request *rq,
			const struct event *ev, uint64_t at, struct row *row)
{
	struct request *r = request_inside(j, q, rq, at, ev);
	struct open_io *io;

	if (r) {
		uint64_t end = request_end(r);
		struct row its = absorb(j, q, rq, r, NO_TIME);

		row_add(j, row, its.first, its.last);
		return end;
	}
	io = io_inside(j, q, at, ev);
	if (io) {
		uint32_t n = board_silently(j, q, io);

		row_add(j, row, n, n);
		return io_end(io);
	}
	if (at < rq->sector && rq->sector < request_end(rq))
		return rq->sector;
	return event_end(ev);
}

/* Adds all in the event's range, though no merge was seen: blk-mq once merged
 * requests without an event, and any M can be lost. */
static void fill(struct joiner *j, struct queue *q, struct request *rq,
		 const struct event *ev)
{
	struct row row = empty, mine = row_of(rq);
	uint64_t at = ev->sector;

	while (at < event_end(ev)) {
		if (at == rq->sector && at < request_end(rq)) {
			row_add(j, &row, mine.first, mine.last);
			mine = empty;
			at = request_end(rq);
		} else {
			at = fill_at(j, q, rq, ev, at, &row);
		}
	}
	row_add(j, &row, mine.first, mine.last);
	if (row.first != OPEN_NONE)
		row_to(j, rq, &row);
}

/* Whether a discard may have merged: a bio looks for a request when it comes,
 * before it waits for a new one, and in a plug only among its process's. */
static bool may_have_merged(const struct joiner *j, const struct request *rq,
			    const struct open_io *io)
{
	uint64_t g = request_g(j, rq);

	return g != NO_TIME && io->time >= g &&
	       (rq->i != NO_TIME || io->pid == request_first(j, rq)->pid);
}

/*
 * Discards merge without an event, and need not be adjacent.  Returns the bytes
 * not found.  late: only those that may_have_merged(), else all that started
 * after the request's first.
 */
static uint64_t fill_discards(struct joiner *j, struct queue *q,
			      struct request *rq, uint64_t more, bool late)
{
	uint64_t lead = request_first(j, rq)->id;
	uint32_t n = q->waiting.first, looks = j->bounds.looks, next;
	struct row row = row_of(rq);

	for (; n != OPEN_NONE && more && looks; n = next) {
		struct open_io *io = &j->ios[n];

		next = io->after;
		looks--;
		if (!(way_of(io->categories) & WAY_DISCARD) ||
		    io->id <= lead)
			continue;
		rq->unsure = io->unsure = true;	/* nothing shows which one */
		if (io->bytes > more || (late && !may_have_merged(j, rq, io)))
			continue;
		more -= io->bytes;
		board_silently(j, q, io);
		row_add(j, &row, n, n);
	}
	row_to(j, rq, &row);
	return more;
}

/* Makes the I/Os from first to last wait again, as they are not in it. */
static void put_back(struct joiner *j, struct queue *q, struct request *rq,
		     uint32_t first, uint32_t last)
{
	uint32_t n = first, next;

	for (;; n = next) {
		struct open_io *io = &j->ios[n];

		next = io->next;
		if (rq->own == n)
			rq->own = OPEN_NONE;
		open_merge(j, io, IO_NOT_MERGED);
		io->unsure = true;
		if (io->plug != NO_TIME)
			open_rare(j, io)->plug = io->plug;
		open_wait(j, q, io);
		if (n == last)
			return;
	}
}

/*
 * Removes I/Os outside of the range at the front, then at the back; one stays.
 * If there are many, all stay: no kernel causes that, and input could make a
 * request grow and shrink without end.
 */
static void put_back_outside(struct joiner *j, struct queue *q,
			     struct request *rq, const struct event *ev)
{
	uint32_t n = rq->first, end = rq->last;
	uint32_t looks = j->bounds.chain;
	struct row row = row_of(rq);

	for (; n != end && looks && !io_within(&j->ios[n], ev); looks--)
		n = j->ios[n].next;
	if (n != rq->first)
		put_back(j, q, rq, rq->first, j->ios[n].prev);
	row.first = n;
	j->ios[n].prev = OPEN_NONE;
	for (; n != end && looks && !io_within(&j->ios[end], ev); looks--)
		end = j->ios[end].prev;
	if (end != rq->last)
		put_back(j, q, rq, j->ios[end].next, rq->last);
	row.last = end;
	j->ios[end].next = OPEN_NONE;
	row_to(j, rq, &row);
}

void riders_resize(struct joiner *j, struct queue *q, struct request *rq,
		   const struct event *ev)
{
	int64_t more = (int64_t)ev->bytes - request_left(rq);
	bool discard = rq->way & WAY_DISCARD;

	riders_hide(j, q, rq);
	open_muddle(q, rq, ev);
	if (more > 0 && !rq->done) {
		for (int late = 1; discard && more && late >= 0; late--)
			more = (int64_t)fill_discards(j, q, rq,
						      (uint64_t)more, late);
		if (more)
			fill(j, q, rq, ev);
	} else if (more < 0 && !rq->done && !discard) {
		put_back_outside(j, q, rq, ev);
	}
	rq->sector = ev->sector;
	rq->bytes = ev->bytes;
	/* these bytes still belong to its I/Os */
	open_done(j, request_first(j, rq), rq->done);
	rq->done = 0;
	riders_enter(j, q, rq);
}

struct request *riders_ghost(struct joiner *j, struct queue *q,
			     const struct event *ev)
{
	struct request *rq = open_request(j, q, ev);
	struct open_io *io;

	rq->bytes = 0;
	fill(j, q, rq, ev);
	if (rq->first != OPEN_NONE) {
		io = request_first(j, rq);
		/* one that waited there with that size is sure */
		if (rq->first != rq->last || io->sector != ev->sector ||
		    io->bytes != ev->bytes || open_in_muddle(q, ev))
			open_muddle(q, rq, ev);
		open_merge(j, io, IO_NOT_MERGED);
		lead_by(rq, io, rq->first);
	} else {
		io = open_begin(j, q, ev, IO_BIO,
				*action_text(event_number(ev)));
		io->events = 0;
		remap_claim(j, q, ev, io);
		carry(j, rq, io);
	}
	rq->bytes = ev->bytes;
	riders_enter(j, q, rq);
	return rq;
}
