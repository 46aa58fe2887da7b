/* SPDX-License-Identifier: GPL-2.0-only */
/* The course of a device's I/O; see course.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/hint.h"
#include "findings/course.h"
#include "findings/served.h"
#include "request/io.h"

/* --- bins ----------------------------------------------------------------- */

static void join_cells(struct course_cell *to, const struct course_cell *from)
{
	to->count += from->count;
	to->sequential += from->sequential;
	to->bytes += from->bytes;
	for (int i = 0; i < COURSE_WAITS; i++) {
		to->waits[i] += from->waits[i];
		if (from->longest[i] > to->longest[i])
			to->longest[i] = from->longest[i];
	}
}

/* two neighbours become one */
static void fold_stream(struct course_cell *cells)
{
	for (uint32_t i = 0; i < COURSE_BINS / 2; i++) {
		struct course_cell both = cells[2 * i];

		join_cells(&both, &cells[2 * i + 1]);
		cells[i] = both;
	}
	memset(cells + COURSE_BINS / 2, 0, COURSE_BINS / 2 * sizeof(*cells));
}

static void fold_latency(uint32_t bins[COURSE_BINS][COURSE_LEVELS])
{
	for (uint32_t i = 0; i < COURSE_BINS / 2; i++)
		for (int k = 0; k < COURSE_LEVELS; k++)
			bins[i][k] = bins[2 * i][k] + bins[2 * i + 1][k];
	memset(bins + COURSE_BINS / 2, 0, COURSE_BINS / 2 * sizeof(*bins));
}

static void fold_depths(uint32_t depths[COURSE_BINS])
{
	for (uint32_t i = 0; i < COURSE_BINS / 2; i++)
		depths[i] = depths[2 * i] > depths[2 * i + 1]
			? depths[2 * i] : depths[2 * i + 1];
	memset(depths + COURSE_BINS / 2, 0, COURSE_BINS / 2 * sizeof(*depths));
}

static COLD void fold(struct course *c)
{
	for (uint32_t i = 0; i < c->stream_count; i++)
		fold_stream(c->streams[i].cells);
	for (int op = 0; op < COURSE_OPS; op++)
		fold_latency(c->latency[op]);
	fold_depths(c->depths);
	c->used = (c->used + 1) / 2;
	c->shift++;
}

/* Of a time after all bins; or before the first one, as I/Os come when they
 * end. */
static COLD uint32_t new_bin(struct course *c, uint64_t time)
{
	uint64_t since;

	if (!c->shift) {
		c->shift = COURSE_SHIFT;
		c->begin = time;
	}
	since = time > c->begin ? time - c->begin : 0;
	while (since >> c->shift >= COURSE_BINS)
		fold(c);
	if (since >> c->shift >= c->used)
		c->used = (uint32_t)(since >> c->shift) + 1;
	return (uint32_t)(since >> c->shift);
}

static uint32_t bin_of(struct course *c, uint64_t time)
{
	uint64_t since = time - c->begin, bin = since >> c->shift;

	if (UNLIKELY(bin >= c->used))
		return new_bin(c, time);
	return (uint32_t)bin;
}

/* --- streams -------------------------------------------------------------- */

/* the last one is for all that come later; 0, or -ENOMEM */
static COLD int new_stream(struct course *c, uint32_t process, uint8_t op,
			   uint8_t *number)
{
	struct course_stream *s;
	bool full = c->stream_count >= COURSE_STREAMS - 1;

	if (c->stream_count == COURSE_STREAMS) {
		*number = COURSE_STREAMS;
		return 0;
	}
	s = &c->streams[c->stream_count];
	s->cells = calloc(COURSE_BINS, sizeof(*s->cells));
	if (!s->cells)
		return -ENOMEM;
	s->process = full ? PROCESSES_OTHERS : process;
	s->op = full ? COURSE_OPS : op;
	s->next = UINT64_MAX;
	*number = (uint8_t)++c->stream_count;
	return 0;
}

static struct course_stream *stream_of(struct course *c, uint32_t process,
				       uint8_t op)
{
	uint8_t *number = &c->of[process][op];

	if (UNLIKELY(!*number) && new_stream(c, process, op, number))
		return NULL;
	return &c->streams[*number - 1];
}

/* --- an I/O --------------------------------------------------------------- */

unsigned int course_level(uint64_t ns)
{
	unsigned int top = 63 - (unsigned int)__builtin_clzll(ns | 1);
	unsigned int level;

	if (top < COURSE_LOWEST)
		return 0;
	level = 2 * (top - COURSE_LOWEST) + (ns >> (top - 1) & 1);
	return level < COURSE_LEVELS ? level : COURSE_LEVELS - 1;
}

static const uint8_t waits[IO_PHASES] = {
	[IO_Q2A] = COURSE_ISSUE, [IO_LOWER] = COURSE_DEVICE,
	[IO_A2C] = COURSE_DEVICE, [IO_Q2X] = COURSE_ISSUE,
	[IO_X2C] = COURSE_DEVICE, [IO_Q2G] = COURSE_REQUEST,
	[IO_Q2M] = COURSE_ISSUE, [IO_PREFLUSH] = COURSE_FLUSHES,
	[IO_G2M] = COURSE_PLUG, [IO_G2I] = COURSE_PLUG,
	[IO_G2D] = COURSE_ISSUE, [IO_I2D] = COURSE_SCHEDULER,
	[IO_M2D] = COURSE_ISSUE, [IO_REQUEUE] = COURSE_DEVICE,
	[IO_D2C] = COURSE_DEVICE, [IO_POSTFLUSH] = COURSE_FLUSHES,
	[IO_REST] = COURSE_DEVICE,
};

static void add_waits(struct course_cell *cell, const struct io *io)
{
	uint32_t all = (1U << IO_PHASES) - 1;

	for (uint32_t has = io->has & all; has; has &= has - 1) {
		int phase = __builtin_ctz(has);
		uint8_t wait = waits[phase];
		uint64_t ns = io->phase[phase];

		cell->waits[wait] += ns;
		if (ns > cell->longest[wait])
			cell->longest[wait] = ns;
	}
}

/* by operation: the course's plus 1; 0: none */
static const uint8_t ops[IO_OPS] = {
	[IO_READ] = COURSE_READ + 1, [IO_WRITE] = COURSE_WRITE + 1,
	[IO_APPEND] = COURSE_WRITE + 1, [IO_FLUSH_OP] = COURSE_FLUSH + 1,
	[IO_DISCARD] = COURSE_DISCARD + 1, [IO_ZEROES] = COURSE_DISCARD + 1,
};

/* Of a split one, its parts count. */
static bool counts(const struct io *io)
{
	return io_completed(io) && io->kind <= IO_PART && ops[io->op] &&
	       !(io->has & 1U << IO_Q2X) && !io->gap &&
	       io->time <= SERVED_LATEST;
}

int course_add(struct course *c, const struct processes *p, uint32_t process,
	       const struct io *io)
{
	struct course_stream *s;
	struct course_cell *cell;
	uint32_t bin;
	uint8_t op;

	if (!counts(io))
		return 0;
	op = ops[io->op] - 1;
	bin = bin_of(c, io->time);
	s = stream_of(c, processes_first(p, process), op);
	if (!s)
		return -ENOMEM;
	cell = &s->cells[bin];
	cell->count++;
	cell->bytes += io->bytes;
	cell->sequential += io->sector == s->next;
	s->next = io->sector + (io->bytes >> 9);
	add_waits(cell, io);
	c->latency[op][bin][course_level(io->total)]++;
	if (io->depth > c->depths[bin])
		c->depths[bin] = io->depth;
	return 0;
}

void course_free(struct course *c)
{
	for (uint32_t i = 0; i < c->stream_count; i++)
		free(c->streams[i].cells);
}
