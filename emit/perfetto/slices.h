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

#include "request/io.h"

struct buf;			/* base/buf.h */
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
