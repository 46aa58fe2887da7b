/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The clocks of all machines of a run, and how they are put beside each other:
 * by the time of day, or with their first events together, and each shifted as
 * the user wants.
 */
#ifndef RUN_HOST_CLOCKS_H
#define RUN_HOST_CLOCKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hint.h"

/* --- host clock ----------------------------------------------------------- */

/*
 * The clock of a machine's records beside the time of day.
 *
 * Records have the time since the machine was started.  What moment that was is
 * known by the time stamp note of a trace, and better by the two pairs of
 * clocks in its card: read when tracing began and when it ended, they also tell
 * how the machine's clock drifts, and whether somebody has set the time of day
 * meanwhile.
 */

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

/* --- epoch ---------------------------------------------------------------- */

/*
 * When a trace's clock was 0, by the time of day: how traces of several
 * machines, each with a clock of its own, come into one order.
 */

struct event;			/* record/record.h */
struct location;		/* file/location.h */

/* the time of day of a time stamp note, in ns since 1970; 0: it has none */
uint64_t epoch_of_note(const struct event *note);

/* --- host clocks ---------------------------------------------------------- */

struct locations;		/* file/location.h */

struct host_shift {
	const char *host;
	int64_t ns;		/* added to its times */
};

struct host_wishes {
	const struct host_shift *shifts;
	size_t count;
	bool align_start;	/* first events together */
};

struct host_clocks {
	struct host_clock *list;	/* by host, shifted */
	unsigned int count;
	bool aligned;		/* all are known: times can be compared */
	bool wall;		/* ... and one of them is the time of day */
};

/*
 * Finds those of all hosts; w may be NULL.  Where one of them is not known none
 * is used, unless first events are put together.  0; -ESRCH: there is no host
 * that is to be shifted, *which; or -ENOMEM.
 */
int host_clocks_find(struct host_clocks *c, const struct locations *l,
		     const struct host_wishes *w, size_t *which);

/* an all-zero struct host_clocks is empty */
void host_clocks_free(struct host_clocks *c);

#endif
