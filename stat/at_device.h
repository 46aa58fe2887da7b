/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * When an io's request was at its device, for stat/depth.
 */
#ifndef STAT_AT_DEVICE_H
#define STAT_AT_DEVICE_H

#include <stdbool.h>

#include "base/hint.h"
#include "request/io.h"
#include "stat/depth.h"

/*
 * Whether io stands for something that was at the device: *span is from when to
 * when, or to the trace's end if it still is.  A request that was sent back was
 * there before, too: io->stays count besides, whatever became of it.  Devices
 * that make no requests, such as dm and md, have ios in flight from Q to C, and
 * those that were split as a whole.
 */
static inline bool at_device(const struct io *io, struct depth_span *span)
{
	if (UNLIKELY(io->stays) && io->stays->from == io->issued)
		return false;		/* sent back, and not issued again */
	if (LIKELY(io_leads(io) && io->served != IO_NONE)) {
		*span = (struct depth_span){ io->issued, io->served };
		return true;
	}
	*span = (struct depth_span){ io->time, io_over(io) };
	if (io_leads(io))
		span->from = io->depth ? io->issued : IO_NONE;
	else if (io->rq || io->kind != IO_BIO || !io->bio_based)
		return false;
	return span->from != IO_NONE && io->ended != IO_ENDED_LOST &&
	       io->ended != IO_ENDED_EVICTED;
}

/* whether it was given up after it was there: for how long nobody knows */
static inline bool at_device_given_up(const struct io *io)
{
	return !io_completed(io) && io->ended != IO_ENDED_OPEN &&
	       (io_leads(io) ? io->depth > 0 : io->bio_based && !io->rq);
}

#endif
