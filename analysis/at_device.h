/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * When an io's request was at its device, for analysis/depth.
 */
#ifndef ANALYSIS_AT_DEVICE_H
#define ANALYSIS_AT_DEVICE_H

#include <stdbool.h>

#include "analysis/depth.h"
#include "base/hint.h"
#include "request/io.h"

/*
 * Whether io stands for something that was at the device and is over: *span is
 * from when to when.  Devices that make no requests have ios under way.
 */
static inline bool at_device(const struct io *io, struct depth_span *span)
{
	if (LIKELY(io_leads(io) && io->served != IO_NONE)) {
		*span = (struct depth_span){ io->issued, io->served };
		return true;
	}
	if (io->rq || io->kind != IO_BIO || !io_completed(io) ||
	    io->has >> IO_Q2X & 1)
		return false;
	*span = (struct depth_span){ io->time, io->time + io->total };
	return true;
}

#endif
