/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * From trace time to the time of day, by the time stamp note that a trace
 * carries: the wall clock at a moment of the tracing machine's own clock.
 */
#ifndef RECORD_CLOCK_H
#define RECORD_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

struct event;			/* record/record.h */

struct clock {
	bool known;		/* a note has come */
	int64_t wall_sec, wall_nsec;	/* what the last note has */
	uint64_t note_time;	/* ns, when on the machine's clock */
	uint64_t genesis;	/* ns there, where relative times begin */
};

/* without a note, a struct clock (all zero) has its genesis at the epoch */
void clock_note(struct clock *c, const struct event *note);

/* the time of day when the machine's clock was 0, ns since 1970 */
int64_t clock_epoch(const struct clock *c);

/* the time of day at time ns after genesis; *nsec is below 10^9 */
void clock_wall(const struct clock *c, uint64_t time, int64_t *sec,
		uint32_t *nsec);

#endif
