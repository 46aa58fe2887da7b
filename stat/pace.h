/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How long a request that did not complete was surely at its device.
 *
 * Either the device hangs, or the completion was lost.  Where the trace proves
 * that it is complete (seals, the card's counts), the request counts up to its
 * end.  Elsewhere a device that went on completing younger requests, or that
 * fell silent together with the file of a CPU, shows that the completion may
 * be missing: then depth and busy time are at least what is known.
 */
#ifndef STAT_PACE_H
#define STAT_PACE_H

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/hint.h"
#include "request/io.h"
#include "run/device.h"
#include "stat/depth.h"

/* --- at device ------------------------------------------------------------ */

/*
 * When an io's request was at its device, for stat/depth.
 */

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

/* --- pace ----------------------------------------------------------------- */

struct filter;			/* expr/filter.h */
struct ios;			/* request/ios.h */
struct reader;			/* run/reader.h */

/* what a device has completed; all-zero: nothing */
struct pace {
	uint64_t issued;	/* when the youngest of it was issued, ns */
	uint64_t longest;	/* ns that one of it was at the device */
	uint64_t ended;		/* when the last of it completed, */
	uint32_t cpu;		/* and on which CPU */
	/* what paces_until() found of one that did not: */
	bool passed;		/* younger ones completed */
	bool silent;		/* the records of that CPU end with that */
};

struct paces {
	struct pace *list;	/* by the device's id */
	uint32_t count;
};

/* an all-zero struct paces is empty */
void paces_free(struct paces *p);

/* there are so many devices: 0 or -ENOMEM */
int paces_grow(struct paces *p, uint32_t count);

/* an io completed that was at its device meanwhile; 0 or -ENOMEM */
static inline int paces_add(struct paces *p, const struct io *io,
			    const struct depth_span *s)
{
	uint32_t device = io->disk->id;
	struct pace *pace;

	if (UNLIKELY(device >= p->count) && paces_grow(p, device + 1))
		return -ENOMEM;
	pace = &p->list[device];
	if (s->from > pace->issued)
		pace->issued = s->from;
	if (s->to - s->from > pace->longest)
		pace->longest = s->to - s->from;
	pace->ended = s->to;
	pace->cpu = io->cpu_c;
	return 0;
}

/* of a device by its id; of one that completed nothing all-zero */
struct pace paces_get(const struct paces *p, uint32_t device);

/*
 * An io that did not complete is at its device from s->from to s->to, unless
 * its completion was lost: up to when that is sure; s->from: never.
 */
uint64_t paces_until(struct paces *p, const struct reader *r,
		     const struct io *io, const struct depth_span *s);

/* for what passes the filter of what is open at any moment */
struct pace_open {
	struct paces *paces;
	const struct ios *ios;
	struct filter *filter;
};

/* as depth_open's add(), of stat/depth_rows; ctx is a struct pace_open */
int pace_open_add(void *ctx, struct depth *d);

#endif
