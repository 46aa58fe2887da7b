/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An io as slices: one for all of it, inside it one for each of its phases.
 *
 * One that is open lasts until the trace ends.  One that was lost or given up
 * has slices for those phases that it has, and none for all of it; if it has
 * none, it has no slice.
 */
#ifndef EMIT_PERFETTO_SLICES_H
#define EMIT_PERFETTO_SLICES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/hash.h"
#include "request/io.h"

/* --- lanes ---------------------------------------------------------------- */

/*
 * Lanes of a device, on which what overlaps lies side by side: each span gets
 * the lowest lane that is free when it begins.
 *
 * Spans that come in the order of their begins need as many lanes as there
 * ever were at a time.  In any other order a lane may be left that would have
 * had room; no two on a lane ever overlap.
 */

/* all zeros: none so far */
struct lanes {
	uint64_t *free_from;	/* a tree, see lanes.c */
	uint32_t *tracks;	/* of each lane: the caller's */
	uint32_t size;		/* lanes there is room for: a power of two */
	uint32_t count;		/* that were ever used: those below */
};

/*
 * The lane of a span up to to, which is not before from; lanes->count grows if
 * it is a new one.  0 and *lane, or -ENOMEM.
 */
int lanes_take(struct lanes *l, uint64_t from, uint64_t to, uint32_t *lane);

void lanes_free(struct lanes *l);

/* --- words ---------------------------------------------------------------- */

/*
 * The words of a trace: what slices and annotations are called, by fixed
 * numbers, and texts, each written once, when it is first needed.
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

/* of texts; they are not kept, only their numbers are */
struct words {
	struct hash texts;
};

/* all zeros: no text so far */

/* those with fixed numbers, before any other */
void words_begin(struct buf *b);

/*
 * The number of a text, which is written if it is a new one, or 0: there are
 * most already.  -ENOMEM, or 0 and *number.
 */
int words_text(struct words *n, struct buf *b, const char *text, uint32_t most,
	       uint32_t *number);

void words_free(struct words *n);

/* --- slices --------------------------------------------------------------- */

struct turn;			/* emit/perfetto/turns.h */
struct turns;			/* emit/perfetto/turns.h */

/* whether it has a slice */
static inline bool slices_any(const struct io *io)
{
	return io_completed(io) || io->ended == IO_ENDED_OPEN || io->has;
}

/* slow path of slices_end(): the sum of what phases it has */
uint64_t slices_phases(const struct io *io);

/* when the last one ends */
static inline uint64_t slices_end(const struct io *io)
{
	if (io_completed(io))
		return io->time + io->total;
	return io->time + (io->ended == IO_ENDED_OPEN ? io->age :
							slices_phases(io));
}

/* of an io that has any, and whose turn it is, on a track that is free */
void slices_write(struct buf *b, const struct turns *t,
		  const struct turn *turn, uint64_t track);

#endif
