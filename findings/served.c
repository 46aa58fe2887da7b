/* SPDX-License-Identifier: GPL-2.0-only */
/* A request that is done; see served.h. */
#include "base/hint.h"
#include "findings/served.h"
#include "request/io.h"

static bool has(const struct io *io, enum io_phase phase)
{
	return io->has & 1U << phase;
}

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* from, less the time of a phase if there is one */
static uint64_t back(uint64_t from, const struct io *io, enum io_phase phase)
{
	return from - (has(io, phase) ? least(io->phase[phase], from) : 0);
}

static uint8_t op_of(const struct io *io)
{
	static const uint8_t ops[IO_OPS] = {
		[IO_READ] = SERVED_READ,
		[IO_WRITE] = SERVED_WRITE,
		[IO_DISCARD] = SERVED_DISCARD,
		[IO_ZEROES] = SERVED_OTHER,
		[IO_FLUSH_OP] = SERVED_OTHER,
		[IO_APPEND] = SERVED_WRITE,
		[IO_RESET] = SERVED_OTHER,
		[IO_RESET_ALL] = SERVED_OTHER,
		[IO_FINISH] = SERVED_OTHER,
		[IO_OPEN_ZONE] = SERVED_OTHER,
		[IO_CLOSE_ZONE] = SERVED_OTHER,
	};

	return ops[io->op];
}

uint8_t served_size(uint32_t bytes)
{
	unsigned int bit = (unsigned int)__builtin_clz(bytes | 512) ^ 31;
	unsigned int size = bit - 9;

	return (uint8_t)(size < SERVED_SIZES ? size : SERVED_SIZES - 1);
}

/* Phases follow each other, so times before the last D can be computed. */
static void set_moments(struct served *s, const struct io *io)
{
	uint64_t issued = least(io->issued, s->end);
	uint64_t first = back(issued, io, IO_REQUEUE);
	uint64_t done = issued + io->phase[IO_D2C];
	bool queued = io->birth == 'Q' || io->birth == 'X';

	s->at[SERVED_ISSUED] = issued;
	s->at[SERVED_DONE] = done < issued ? s->end : least(done, s->end);
	s->at[SERVED_BEGUN] = queued ? least(io->time, issued) : issued;
	s->at[SERVED_WAITS] = has(io, IO_I2D) ? back(first, io, IO_I2D)
					      : back(first, io, IO_G2D);
}

static void set_bare_moments(struct served *s, const struct io *io)
{
	for (int m = 0; m < SERVED_DONE; m++)
		s->at[m] = io->time;
	s->at[SERVED_DONE] = s->end;
}

/* Whether it was served by its device itself: none makes a request of it. */
static bool is_bare(const struct io *io)
{
	return !io->rq && io->issued == IO_NONE && !has(io, IO_Q2X) &&
	       (io->birth == 'Q' || io->birth == 'X');
}

static bool was_issued(const struct io *io)
{
	return io_leads(io) && io->issued != IO_NONE && has(io, IO_D2C);
}

APART bool served_from_io(struct served *s, const struct io *io)
{
	bool issued = was_issued(io);

	if ((!issued && !is_bare(io)) || !io_completed(io) ||
	    io->kind == IO_PASS || io->time > SERVED_LATEST ||
	    io->total > SERVED_LATEST - io->time)
		return false;

	*s = (struct served){
		.end = io->time + io->total,
		.sector = io->sector,
		.bytes = (uint32_t)least(io->rq_bytes ? io->rq_bytes
						      : io->bytes, UINT32_MAX),
		.op = op_of(io),
		.flush = io->op == IO_FLUSH_OP,
		.part = io->kind == IO_PART,
		.gap = io->gap,
		.bare = !issued,
	};
	s->data = s->bytes && !s->flush;
	s->size = served_size(s->bytes);
	if (issued)
		set_moments(s, io);
	else
		set_bare_moments(s, io);
	return true;
}
