/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How long a request without a completion was surely at its device.
 *
 * Either the device hangs, or the completion was lost.  Where seals and the
 * card's counts prove that the trace is complete, the request counts up to its
 * end.  Elsewhere the completion may be missing if younger requests completed,
 * or if the device fell silent together with the file of a CPU.  Then depth and
 * busy time are lower bounds.
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

/* The time of an I/O's request at the device, for stat/depth. */

/*
 * Whether io counts at the device, and *span: up to its end or the trace's.
 * Requeued requests also count their earlier time there, io->stays.  On devices
 * without requests, such as dm and md, I/Os count from Q to C, and split ones
 * as their parent.
 */
static inline bool at_device(const struct io *io, struct depth_span *span)
{
	if (UNLIKELY(io->stays) && io->stays->from == io->issued)
		return false;		/* requeued, and not issued again */
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

/* Whether io was dropped after its issue, so its time there is unknown. */
static inline bool at_device_given_up(const struct io *io)
{
	return !io_completed(io) && io->ended != IO_ENDED_OPEN &&
	       (io_leads(io) ? io->depth > 0 : io->bio_based && !io->rq);
}

/* --- pace ----------------------------------------------------------------- */

struct filter;			/* expr/filter.h */
struct ios;			/* request/ios.h */
struct reader;			/* run/reader.h */

/* completions of a device; zeroed: none */
struct pace {
	uint64_t issued;	/* latest time of issue, ns */
	uint64_t longest;	/* longest at the device, ns */
	uint64_t ended;		/* end of the last one */
	uint32_t cpu;		/* its CPU */
	/* found by paces_until() for unfinished requests: */
	bool passed;		/* younger ones completed */
	bool silent;		/* that CPU has no later record */
};

struct paces {
	struct pace *list;	/* by the device's id */
	uint32_t count;
};

/* a zeroed struct paces is empty */
void paces_free(struct paces *p);

/* room for this many devices: 0 or -ENOMEM */
int paces_grow(struct paces *p, uint32_t count);

/* adds a completed I/O that was at its device during *s; 0 or -ENOMEM */
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

/* device: its id; zeroed if it completed nothing */
struct pace paces_get(const struct paces *p, uint32_t device);

/* End of the time that an unfinished I/O, at its device from s->from to s->to
 * unless its completion was lost, surely was there; s->from: unknown. */
uint64_t paces_until(struct paces *p, const struct reader *r,
		     const struct io *io, const struct depth_span *s);

/* open I/Os that pass a filter, at any moment */
struct pace_open {
	struct paces *paces;
	const struct ios *ios;
	struct filter *filter;
};

/* as depth_open's add(), of stat/depth_rows; ctx is a struct pace_open */
int pace_open_add(void *ctx, struct depth *d);

#endif
