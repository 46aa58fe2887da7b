/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The clock of a machine's records beside the time of day.
 *
 * Records have the time since the machine was started.  What moment that was is
 * known by the time stamp note of a trace, and better by the two pairs of
 * clocks in its card: read when tracing began and when it ended, they also tell
 * how the machine's clock drifts, and whether somebody has set the time of day
 * meanwhile.
 */
#ifndef RUN_HOST_CLOCK_H
#define RUN_HOST_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/hint.h"

struct card;			/* machine/card.h */

#define HOST_CLOCK_UNKNOWN UINT64_MAX

struct host_clock {
	bool known;
	uint64_t epoch;		/* the time of day, ns since 1970, of trace
				 * time 0; wraps */
	double drift;		/* ns of the time of day less ns of trace time,
				 * by ns of the latter; 0: none */
	uint64_t from;		/* the trace time that drift counts from */
	uint64_t error;		/* ns that the time of day may be wrong by, or
				 * HOST_CLOCK_UNKNOWN */
	int64_t step;		/* ns by which the time of day was set while
				 * this was recorded; 0: it was not */
	bool foreign;		/* the card is of another time than the trace */
};

/*
 * The clock by what notes say, epoch_find()'s (noted: there is one), and by a
 * card (or NULL).  A step leaves times by the clock as it was in the beginning.
 */
void host_clock_find(struct host_clock *c, bool noted, uint64_t epoch,
		     const struct card *card);

/* slow path of host_clock_wall() */
uint64_t host_clock_drifted(const struct host_clock *c, uint64_t time) COLD;

/* the time of day at a trace time */
static inline uint64_t host_clock_wall(const struct host_clock *c,
				       uint64_t time)
{
	return UNLIKELY(c->drift != 0) ? host_clock_drifted(c, time) :
					 time + c->epoch;
}

#endif
