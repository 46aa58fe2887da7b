/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An io as slices: one for all of it, inside it one for each of its phases.
 */
#ifndef EMIT_PERFETTO_SLICES_H
#define EMIT_PERFETTO_SLICES_H

#include <stdint.h>

struct buf;			/* base/buf.h */
struct turn;			/* emit/perfetto/turns.h */
struct turns;			/* emit/perfetto/turns.h */

/* the io, whose turn it is, on a track that is free; it has a total */
void slices_write(struct buf *b, const struct turns *t,
		  const struct turn *turn, uint64_t track);

#endif
