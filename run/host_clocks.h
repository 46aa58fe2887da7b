/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Aligns the clocks of a run's machines: by the time of day, or by their first
 * events, and shifted as the user wants.
 *
 * Records have the time since the machine was started.  A trace's time stamp
 * note has the time of day of that, and its card better: two pairs of clocks,
 * read at the start and the end, which also show drift, and whether somebody
 * has set the time of day.
 */
#ifndef RUN_HOST_CLOCKS_H
#define RUN_HOST_CLOCKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hint.h"

struct card;			/* machine/card.h */
struct event;			/* record/record.h */
struct location;		/* file/location.h */
struct locations;		/* file/location.h */

#define HOST_CLOCK_UNKNOWN UINT64_MAX

struct host_clock {
	bool known;
	uint64_t epoch;		/* the time of day, ns since 1970, of trace
				 * time 0; wraps */
	double drift;		/* ns gained by the time of day per ns of trace
				 * time */
	uint64_t from;		/* the trace time at which drift is 0 */
	uint64_t error;		/* of the time of day, at most, ns; or
				 * HOST_CLOCK_UNKNOWN */
	int64_t step;		/* ns by which the time of day was set during
				 * the trace, or 0; times ignore it */
	bool foreign;		/* the card's times do not fit the trace */
};

/* The clock by a note's epoch, if noted, and by a card or NULL. */
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

/* the time of day of a note, in ns since 1970; 0: it has none */
uint64_t epoch_of_note(const struct event *note);

struct host_shift {
	const char *host;
	int64_t ns;		/* added to its times */
};

struct host_wishes {
	const struct host_shift *shifts;
	size_t count;
	bool align_start;	/* all first events at the same time */
};

struct host_clocks {
	struct host_clock *list;	/* by host, shifted */
	unsigned int count;
	bool aligned;		/* times can be compared */
	bool wall;		/* and are the time of day */
};

/*
 * Finds the clocks of all hosts; w may be NULL.  Unless first events are
 * aligned, one unknown clock makes all unaligned.  0; -ESRCH: no host has the
 * name of w->shifts[*which]; or -ENOMEM.
 */
int host_clocks_find(struct host_clocks *c, const struct locations *l,
		     const struct host_wishes *w, size_t *which);

/* an all-zero struct host_clocks is empty */
void host_clocks_free(struct host_clocks *c);

#endif
