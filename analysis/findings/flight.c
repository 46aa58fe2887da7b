/* SPDX-License-Identifier: GPL-2.0-only */
/* How many requests were under way at a time; see flight.h. */
#include "analysis/findings/flight.h"

void flight_free(struct flight *f)
{
	histogram_free(&f->flushes);
	histogram_free(&f->thinks);
}

static void pass_time(struct flight *f, uint64_t now)
{
	uint64_t span = now - f->last;

	f->last = now;
	if (f->waiting)
		f->waited[f->depth] += span * f->waiting;
	if (f->flushing)
		f->flushed += span;
	if (f->depth)
		f->busy += span;
	if (f->depth == 1)
		f->alone += span;
}

static int begun(struct flight *f, const struct served *s, uint64_t now)
{
	/* what comes too late tells nothing of the time before it */
	if (!s->data || !f->any || s->at[SERVED_BEGUN] < now || f->done >= now)
		return 0;
	return histogram_add(&f->thinks, now - f->done);
}

static void issued(struct flight *f, const struct served *s)
{
	f->waiting--;
	f->flushing += s->flush;
	if (++f->depth > f->most)
		f->most = f->depth;
}

static int done(struct flight *f, const struct served *s, uint64_t now)
{
	f->depth--;
	f->flushing -= s->flush;
	if (s->data) {
		f->any = true;
		f->done = now;
	}
	return s->flush ? histogram_add(&f->flushes, served_device_time(s)) : 0;
}

int flight_moment(struct flight *f, const struct served *s,
		  enum served_moment moment, uint64_t now)
{
	/* this changes none of what time is summed by */
	if (moment == SERVED_BEGUN)
		return begun(f, s, now);
	pass_time(f, now);
	if (moment == SERVED_DONE)
		return done(f, s, now);
	if (moment == SERVED_WAITS)
		f->waiting++;
	else
		issued(f, s);
	return 0;
}

bool flight_waits(const struct flight *f, uint64_t *full, uint64_t *room)
{
	histogram_sum all = 0, high = 0, low = 0;

	for (uint32_t depth = 0; depth <= f->most; depth++) {
		all += f->waited[depth];
		if (10 * depth >= 9 * f->most)
			high += f->waited[depth];
		if (2 * depth <= f->most)
			low += f->waited[depth];
	}
	if (!all)
		return false;
	*full = (uint64_t)(high * 1000 / all);
	*room = (uint64_t)(low * 1000 / all);
	return true;
}
