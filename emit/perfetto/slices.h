/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An I/O as slices: one for its total time, and inside one for each phase.
 *
 * An I/O in flight lasts until the trace ends.  A lost or evicted one has only
 * slices for the phases that it has.
 */
#ifndef EMIT_PERFETTO_SLICES_H
#define EMIT_PERFETTO_SLICES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/hash.h"
#include "request/io.h"

/* --- lanes ---------------------------------------------------------------- */

/*
 * Lanes of a device, which separate overlapping slices: each gets the lowest
 * lane that is free when it starts.
 *
 * In order of start, slices need as many lanes as there ever were at a time; in
 * another order they may need more.  Slices on a lane never overlap.
 */

/* empty if all zero */
struct lanes {
	uint64_t *free_from;	/* a tree, see slices.c */
	uint32_t *tracks;	/* of each lane: the caller's */
	uint32_t size;		/* room, a power of two */
	uint32_t count;		/* lanes ever used */
};

/* 0 and *lane for a slice from from to to, or -ENOMEM; a new lane raises
 * l->count */
int lanes_take(struct lanes *l, uint64_t from, uint64_t to, uint32_t *lane);

void lanes_free(struct lanes *l);

/* --- words ---------------------------------------------------------------- */

/*
 * The words of a trace: names of slices and annotations with fixed numbers, and
 * texts, each written once, when it is first needed.
 */

struct buf;			/* base/buf.h */

/* numbers of events: first operations, then phases */
enum { WORDS_OP = 1, WORDS_PHASE = WORDS_OP + IO_OPS };

enum words_annotation {
	WORDS_ID = 1,
	WORDS_SECTOR,
	WORDS_BYTES,
	WORDS_FLAGS,
	WORDS_PID,
	WORDS_PROCESS,
	WORDS_ERROR,
	WORDS_ENDED
};

/* numbers by text; empty if all zero */
struct words {
	struct hash texts;
};

/* writes the words with fixed numbers, before any other */
void words_begin(struct buf *b);

/*
 * The number of a text, which is written if new, or 0 beyond most texts.
 * -ENOMEM, or 0 and *number.
 */
int words_text(struct words *n, struct buf *b, const char *text, uint32_t most,
	       uint32_t *number);

void words_free(struct words *n);

/* --- slices --------------------------------------------------------------- */

struct turn;			/* emit/perfetto/turns.h */
struct turns;			/* emit/perfetto/turns.h */

/* whether io has a slice */
static inline bool slices_any(const struct io *io)
{
	return io_completed(io) || io->ended == IO_ENDED_OPEN || io->has;
}

/* slow path of slices_end(): the sum of its phases */
uint64_t slices_phases(const struct io *io);

/* the end of the last slice */
static inline uint64_t slices_end(const struct io *io)
{
	if (io_completed(io))
		return io->time + io->total;
	return io->time + (io->ended == IO_ENDED_OPEN ? io->age :
							slices_phases(io));
}

/* writes an I/O with slices, at its turn, on a free track */
void slices_write(struct buf *b, const struct turns *t,
		  const struct turn *turn, uint64_t track);

#endif
