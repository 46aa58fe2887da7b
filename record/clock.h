/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * From trace time to the time of day, by a trace's time stamp note, which has
 * the time of day at a time of the tracing machine's clock.
 */
#ifndef RECORD_CLOCK_H
#define RECORD_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

struct event;			/* record/record.h */

struct clock {
	bool known;		/* a note was read */
	int64_t wall_sec, wall_nsec;	/* of the last note */
	uint64_t note_time;	/* of the last note, ns, the machine's clock */
	uint64_t genesis;	/* ns, the machine's time of relative time 0 */
};

/* without a note, an all-zero struct clock has its genesis at the epoch */
void clock_note(struct clock *c, const struct event *note);

/* the time of day when the machine's clock was 0, ns since 1970 */
int64_t clock_epoch(const struct clock *c);

/* the time of day at time ns after genesis; *nsec is below 10^9 */
void clock_wall(const struct clock *c, uint64_t time, int64_t *sec,
		uint32_t *nsec);

#endif
