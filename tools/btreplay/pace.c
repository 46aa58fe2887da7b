/* SPDX-License-Identifier: GPL-2.0-only */
/* Waiting for a moment; see pace.h. */
#include <sys/prctl.h>

#include "base/time.h"
#include "tools/btreplay/pace.h"

enum {
	LOOK = 100000000,	/* ns between checks of stop */
	LEAD_FIRST = 30000,	/* ns, initially */
	LEAD_LEAST = 2000,
	/* a spin that misses the clock this long was interrupted by another
	 * thread, not by an interrupt */
	BLIND = 200000,
};

void pace_init(struct pace *p, uint64_t spin_max)
{
	p->spin_max = p->bound = spin_max;
	p->lead = LEAD_FIRST < spin_max ? LEAD_FIRST : spin_max;
}

uint64_t pace_now(void)
{
	return time_now();
}

void pace_init_thread(void)
{
	prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL);
}

/* --- learning ------------------------------------------------------------ */

static void keep_in_bound(struct pace *p)
{
	if (p->lead < LEAD_LEAST)
		p->lead = LEAD_LEAST;
	if (p->lead > p->bound)
		p->lead = p->bound;
}

static void shrink_bound(struct pace *p)
{
	p->bound /= 2;
	if (p->bound < LEAD_LEAST)
		p->bound = LEAD_LEAST < p->spin_max ? LEAD_LEAST : p->spin_max;
	keep_in_bound(p);
}

static void grow_bound(struct pace *p)
{
	p->bound += p->spin_max / 1024 + 1;
	if (p->bound > p->spin_max)
		p->bound = p->spin_max;
}

/*
 * Raises a lead that was too short by a quarter of the difference, and lowers
 * one that was enough by 1/64: then one sleep in a few dozen ends too late.
 */
void pace_add_sleep(struct pace *p, uint64_t due, uint64_t now)
{
	uint64_t late = now > due ? now - due : 0;

	if (!p->spin_max)
		return;
	if (late > BLIND) {
		shrink_bound(p);
		return;
	}
	grow_bound(p);
	if (late > p->lead)
		p->lead += (late - p->lead) / 4 + 1;
	else
		p->lead -= (p->lead - late) / 64;
	keep_in_bound(p);
}

void pace_add_spin(struct pace *p, uint64_t blind)
{
	if (blind > BLIND)
		shrink_bound(p);
}

/* --- waiting ------------------------------------------------------------- */

static void sleep_until(uint64_t when)
{
	const struct timespec t = time_to_timespec(when);

	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL);
}

/* Sleeps until lead before due; returns the time. */
static uint64_t sleep_most(struct pace *p, uint64_t due, uint64_t now,
			   const atomic_bool *stop)
{
	uint64_t wake = due - p->lead;

	while (now < wake && !atomic_load(stop)) {
		uint64_t next = wake - now > LOOK ? now + LOOK : wake;

		sleep_until(next);
		now = pace_now();
		pace_add_sleep(p, next, now);
	}
	return now;
}

static uint64_t spin(struct pace *p, uint64_t due, uint64_t now)
{
	while (now < due) {
		uint64_t before = now;

		now = pace_now();
		pace_add_spin(p, now - before);
	}
	return now;
}

uint64_t pace_wait(struct pace *p, uint64_t due, const atomic_bool *stop)
{
	uint64_t now = pace_now();

	if (now + p->lead < due)
		now = sleep_most(p, due, now, stop);
	return atomic_load(stop) ? now : spin(p, due, now);
}
