/* SPDX-License-Identifier: GPL-2.0-only */
/* Makes records; see record.h. */
#include "base/hint.h"
#include "record/payload.h"
#include "request/io.h"
#include "request/open.h"
#include "request/open_request.h"
#include "request/record.h"

/* --- phases --------------------------------------------------------------- */

/* walks through the times of an I/O */
struct steps {
	struct io *out;
	uint64_t d;		/* first D of its request, or NO_TIME */
	uint64_t c;		/* its end, or NO_TIME: not completed */
	uint64_t now;		/* the last time */
	uint64_t clamped;	/* times earlier than the one before */
};

/* Ends a phase at until; NO_TIME: it is absent. */
static inline void step(struct steps *s, enum io_phase phase, uint64_t until)
{
	if (until == NO_TIME)
		return;
	if (UNLIKELY(until < s->now)) {		/* the clock went back */
		until = s->now;
		s->clamped++;
	}
	s->out->has |= 1u << phase;
	s->out->phase[phase] = until - s->now;
	s->now = until;
}

static void stacked_steps(struct steps *s, const struct rare_io *rare)
{
	if (!rare || rare->a == NO_TIME) {
		step(s, IO_REST, s->c);
		return;
	}
	step(s, IO_Q2A, rare->a);
	step(s, IO_LOWER, rare->below_c);
	step(s, IO_A2C, s->c);
}

/* Phases of an I/O that got its request, until the first D. */
static void lead_steps(struct steps *s, const struct open_io *io,
		       const struct request *rq)
{
	uint64_t since = io->got != NO_TIME ? io->got : io->time;

	if (io->birth != 'G')
		step(s, IO_Q2G, io->got);
	step(s, IO_PREFLUSH, rq->preflushed);
	if (rq->i != NO_TIME && rq->i >= since) {
		if (io->birth != 'I')
			step(s, IO_G2I, rq->i);
		step(s, IO_I2D, s->d);
	} else if (io->birth != 'D') {
		step(s, IO_G2D, s->d);
	}
}

/* Phases of a merged I/O. */
static void merged_steps(struct steps *s, const struct open_io *io,
			 const struct rare_io *rare)
{
	if (io->merge == IO_MERGED_REQUEST) {	/* it had its own request */
		if (io->birth != 'G')
			step(s, IO_Q2G, rare ? rare->other : NO_TIME);
		step(s, IO_G2M, io->got);
	} else if (io->birth != 'M' && io->birth != 'F') {
		step(s, IO_Q2M, io->got);
	}
	step(s, IO_M2D, s->d);
}

static void riding_steps(struct steps *s, const struct open_io *io,
			 const struct request *rq, const struct rare_io *rare)
{
	if (io->merge != IO_NOT_MERGED)
		merged_steps(s, io, rare);
	else
		lead_steps(s, io, rq);
	if (rq->d == NO_TIME) {
		step(s, IO_REST, s->c);
		return;
	}
	if (UNLIKELY(s->out->requeues))
		step(s, IO_REQUEUE, rq->d);
	if (rq->state == REQUEST_POST) {
		step(s, IO_D2C, rq->c);
		step(s, IO_POSTFLUSH, s->c);
	} else {
		step(s, IO_D2C, s->c);
	}
}

static COLD void make_age(const struct joiner *j, const struct open_io *io,
			  struct io *out)
{
	out->age = io->c > io->time ? io->c - io->time : 0;
	out->later = j->continues && io->ended == IO_ENDED_OPEN;
}

static void make_phases(struct joiner *j, const struct open_io *io,
			const struct request *rq, const struct rare_io *rare,
			struct io *out)
{
	struct steps s = {
		.out = out,
		.d = rq ? request_first_d(j, rq) : NO_TIME,
		.c = io->ended <= IO_ENDED_BELOW ? io->c : NO_TIME,
		.now = io->time,
	};

	out->has = 0;
	if (UNLIKELY(rare && rare->x != NO_TIME)) {
		step(&s, IO_Q2X, rare->x);
		step(&s, IO_X2C, s.c);
	} else if (rq) {
		riding_steps(&s, io, rq, rare);
	} else {
		stacked_steps(&s, rare);
	}
	out->later = false;
	if (LIKELY(s.c != NO_TIME)) {
		out->total = s.now - io->time;
		out->age = IO_NONE;
	} else {
		out->total = IO_NONE;
		make_age(j, io, out);
	}
	j->counts.clamped += s.clamped;
}

/* --- operation ------------------------------------------------------------ */

struct named_op {
	enum blk_category category;
	enum io_op op;
};

/* the first match; else a flush, write or read */
static const struct named_op ops[] = {
	{ BLK_TC_ZONE_APPEND, IO_APPEND },
	{ BLK_TC_ZONE_RESET_ALL, IO_RESET_ALL },
	{ BLK_TC_ZONE_RESET, IO_RESET },
	{ BLK_TC_ZONE_FINISH, IO_FINISH },
	{ BLK_TC_ZONE_OPEN, IO_OPEN_ZONE },
	{ BLK_TC_ZONE_CLOSE, IO_CLOSE_ZONE },
	{ BLK_TC_WRITE_ZEROES, IO_ZEROES },
	{ BLK_TC_DISCARD, IO_DISCARD },
};

static enum io_op op_of(const struct open_io *io)
{
	const uint32_t special = BLK_TC_BIT(BLK_TC_DISCARD) |
				 ~0u << BLK_TC_ZONE_APPEND;

	if (UNLIKELY(io->categories & special))
		for (size_t i = 0; i < sizeof(ops) / sizeof(*ops); i++)
			if (io->categories & BLK_TC_BIT(ops[i].category))
				return ops[i].op;
	if (io->categories & BLK_TC_BIT(BLK_TC_FLUSH) && !io->bytes)
		return IO_FLUSH_OP;
	return io->categories & BLK_TC_BIT(BLK_TC_WRITE) ? IO_WRITE : IO_READ;
}

static uint32_t cpu_or_none(uint16_t cpu)
{
	return cpu == NO_CPU ? IO_NO_CPU : cpu;
}

/* --- parts of the record -------------------------------------------------- */

static void make_issues(const struct joiner *j, const struct request *rq,
			struct io *out)
{
	const struct more_request *more = open_has_more_request(j, rq);

	out->issues = rq->d != NO_TIME;
	out->requeues = 0;
	out->rq_bytes = rq->bytes;
	out->flush2 = 0;
	if (LIKELY(!more))
		return;
	out->issues = more->issues;
	out->requeues = more->requeues;
	if (more->d != NO_TIME && more->bytes)
		out->rq_bytes = more->bytes;
	out->flush2 = more->flush2;
}

static COLD const struct io_stay *stays_of(const struct joiner *j,
					   const struct request *rq)
{
	uint32_t n = j->more_requests[rq->more].stays;

	return n == OPEN_NONE ? NULL : &j->stays[n].is;
}

static void make_request(const struct joiner *j, const struct open_io *io,
			 const struct request *rq, struct io *out)
{
	out->sure &= !rq->unsure;
	out->plug = io->plug;
	out->rq = rq->lead;
	out->flush = rq->flush;
	out->rq_ios = rq->count;
	out->cpu_d = cpu_or_none(rq->cpu_d);
	out->cpu_c = cpu_or_none(rq->cpu_c);
	out->depth = rq->d != NO_TIME ? rq->depth : 0;
	out->issued = rq->d;
	make_issues(j, rq, out);
	out->served = IO_NONE;
	out->seek = IO_NO_SEEK;
	out->stays = NULL;
	if (rq->lead != io->id)
		return;
	if (UNLIKELY(rq->more != OPEN_NONE))
		out->stays = stays_of(j, rq);
	if (UNLIKELY(j->seeks))
		out->seek = j->seeks[open_request_number(j, rq)];
	out->done += rq->done;
	if (rq->d != NO_TIME && rq->c != NO_TIME)
		out->served = rq->c;
}

static inline void make_no_more(struct io *out)
{
	out->cgroup = 0;
	out->remapped = false;
	out->from_device = 0;
	out->from_sector = 0;
}

static void make_more(const struct more_io *more, struct io *out)
{
	out->remapped = more->remapped;
	out->from_device = more->from_device;
	out->from_sector = more->from_sector;
	out->cgroup = more->cgroup;
}

static inline void make_no_rare(struct io *out)
{
	out->parent = out->done = 0;
	out->link = IO_NO_LINK;
	out->plug = out->zplug = out->at = IO_NONE;
	out->children = 0;
}

static void make_rare(const struct rare_io *rare, struct io *out)
{
	out->parent = rare->parent_id;
	out->link = rare->link;
	out->done = rare->done;
	out->plug = rare->plug;
	out->zplug = rare->zplug;
	out->at = rare->at;
	out->children = rare->children;
}

static void make_origin(const struct joiner *j, const struct open_io *io,
			struct io *out)
{
	const struct queue *q = j->queues[io->queue];

	out->disk = q->disk;
	out->bio_based = !q->ways;
	out->origin = q->origin;
	out->device = q->device;
}

static void make_self(const struct open_io *io, struct io *out)
{
	out->id = io->id;
	out->kind = io->kind;
	out->op = op_of(io);
	out->merge = io->merge;
	out->ended = io->ended;
	out->birth = io->birth;
	out->gap = io->gap;
	out->sure = !io->unsure;
	out->sector = io->sector;
	out->bytes = io->bytes;
	out->categories = io->categories;
	out->pid = io->pid;
	out->cpu = io->cpu;
	out->error = io->error;
	out->time = io->time;
	out->events = io->events;
}

static void make_no_request(const struct open_io *io, struct io *out)
{
	out->rq = out->flush = out->flush2 = 0;
	out->issues = out->requeues = out->depth = out->rq_ios = 0;
	out->rq_bytes = 0;
	out->issued = out->served = IO_NONE;
	out->seek = IO_NO_SEEK;
	out->stays = NULL;
	out->cpu_d = IO_NO_CPU;
	out->cpu_c = cpu_or_none(io->cpu_c);
}

static uint64_t phase_of(const struct io *out, enum io_phase phase)
{
	return out->has & 1u << phase ? out->phase[phase] : 0;
}

/* If the clock went back, a plug's time can exceed the wait that has it. */
static void limit_plug(struct io *out)
{
	uint64_t waited = out->total;

	if (out->plug == IO_NONE || waited == IO_NONE)
		return;
	waited -= phase_of(out, IO_Q2G) + phase_of(out, IO_REQUEUE) +
		  phase_of(out, IO_D2C);
	if (UNLIKELY(out->plug > waited))
		out->plug = waited;
}

/* Whether its start is missing, where others of its device have theirs. */
static COLD bool is_torn(const struct joiner *j, const struct open_io *io)
{
	return io->kind == IO_BIO && j->queues[io->queue]->queued;
}

/*
 * An imported trace has events at times that were not measured.  An I/O whose
 * completion was not is one of which an event is missing.
 */
static COLD void forget_times(enum imported_times times, struct io *out)
{
	out->has = 0;
	if (times == IMPORTED_WHOLE && out->total != IO_NONE) {
		out->has = 1u << IO_REST;
		out->phase[IO_REST] = out->total;
	}
	if (times != IMPORTED_NONE)
		return;
	out->gap = true;
	out->depth = 0;
	out->issued = out->served = IO_NONE;
}

void record_make(struct joiner *j, const struct open_io *io, struct io *out)
{
	const struct request *rq = NULL;
	const struct more_io *more = open_has_more(j, io);
	const struct rare_io *rare = open_has_rare(j, io);

	if (io->place == IO_RIDES)
		rq = &j->requests[io->rq];
	make_self(io, out);
	make_origin(j, io, out);
	if (UNLIKELY(io->birth != 'Q') && is_torn(j, io))
		out->sure = false;
	if (LIKELY(!more))
		make_no_more(out);
	else
		make_more(more, out);
	if (LIKELY(!rare))
		make_no_rare(out);
	else
		make_rare(rare, out);
	if (LIKELY(rq))
		make_request(j, io, rq, out);
	else
		make_no_request(io, out);
	make_phases(j, io, rq, rare, out);
	limit_plug(out);
	if (UNLIKELY(j->queues[io->queue]->imported))
		forget_times(j->queues[io->queue]->imported, out);
}

/* --- open I/Os ------------------------------------------------------------ */

/* Adds what is known of its request so far. */
static void make_open_request(const struct joiner *j, const struct request *rq,
			      struct io *out)
{
	if (rq->own != OPEN_NONE)
		out->rq = j->ios[rq->own].id;
	out->sure = out->sure && !rq->unsure;
	out->rq_bytes = rq->bytes;
	if (rq->more != OPEN_NONE)
		out->stays = stays_of(j, rq);
	if (rq->d == NO_TIME)
		return;
	out->issues = 1;
	out->issued = rq->d;
	out->cpu_d = cpu_or_none(rq->cpu_d);
	if (rq->state == REQUEST_ISSUED)
		out->depth = rq->depth;
	else if (rq->state == REQUEST_POST)
		out->served = rq->c;
}

/* Only the first I/O of a request knows it.  As there may be very many, those
 * too far from it have none here. */
static const struct request *request_of(const struct joiner *j,
					const struct open_io *io)
{
	uint32_t looks = j->bounds.looks;

	if (io->place != IO_RIDES)
		return NULL;
	for (; io->prev != OPEN_NONE; io = &j->ios[io->prev])
		if (!looks--)
			return NULL;
	return &j->requests[io->rq];
}

void record_make_open(const struct joiner *j, const struct open_io *io,
		      struct io *out)
{
	const struct request *rq;
	const struct more_io *more = open_has_more(j, io);

	make_self(io, out);
	out->ended = IO_ENDED_OPEN;
	out->gap = is_doubtful(j->queues[io->queue], io->losses);
	make_origin(j, io, out);
	make_no_more(out);
	make_no_rare(out);
	if (more)
		make_more(more, out);
	make_no_request(io, out);
	out->cpu_c = IO_NO_CPU;
	out->has = 0;
	out->total = out->age = IO_NONE;
	out->later = false;
	rq = request_of(j, io);
	if (rq)
		make_open_request(j, rq, out);
}
