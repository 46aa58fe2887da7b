/* SPDX-License-Identifier: GPL-2.0-only */
/* From trace time to the time of day; see clock.h. */
#include "base/time.h"
#include "record/clock.h"
#include "record/payload.h"
#include "record/record.h"

/* signed, as the differences below */
enum { NSEC = NS_PER_SECOND };

void clock_note(struct clock *c, const struct event *note)
{
	uint32_t sec, nsec;

	if (!payload_clock(note, &sec, &nsec))
		return;
	c->wall_sec = sec;
	c->wall_nsec = nsec;
	c->note_time = note->time;
	c->known = true;
}

int64_t clock_epoch(const struct clock *c)
{
	return (int64_t)((uint64_t)c->wall_sec * NS_PER_SECOND +
			 (uint64_t)c->wall_nsec - c->note_time);
}

void clock_wall(const struct clock *c, uint64_t time, int64_t *sec,
		uint32_t *nsec)
{
	/* signed, as the note may be later than genesis */
	int64_t since = (int64_t)(c->known ? c->genesis - c->note_time + time :
					     time);
	int64_t ns = c->wall_nsec + since % NSEC;

	*sec = c->wall_sec + since / NSEC + ns / NSEC;
	ns %= NSEC;
	if (ns < 0) {
		ns += NSEC;
		--*sec;
	}
	*nsec = (uint32_t)ns;
}
