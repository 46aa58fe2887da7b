/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Waits for a time of CLOCK_MONOTONIC: sleeps until shortly before it, then
 * spins.
 *
 * The spin grows, up to a bound, when sleeps end late.  If a spin is
 * interrupted, or a sleep ends far too late, the machine has other work: then
 * the bound shrinks, as the scheduler prefers threads that spin little, and
 * recovers while the machine is quiet.
 */
#ifndef TOOLS_BTREPLAY_PACE_H
#define TOOLS_BTREPLAY_PACE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct pace {
	uint64_t spin_max;	/* ns to spin at most; 0: never */
	uint64_t bound;		/* the same, adapted to the machine's load */
	uint64_t lead;		/* ns that sleeps end before the moment */
};

/* spin_max in ns, 0: never spin */
void pace_init(struct pace *p, uint64_t spin_max);

/* ns of CLOCK_MONOTONIC */
uint64_t pace_now(void);

/* a sleep that should have ended at due has ended at now */
void pace_add_sleep(struct pace *p, uint64_t due, uint64_t now);

/* a spin has read the clock twice in blind ns */
void pace_add_spin(struct pace *p, uint64_t blind);

/* waits until due, or *stop, checked ten times a second; returns the time, less
 * than due if stopped */
uint64_t pace_wait(struct pace *p, uint64_t due, const atomic_bool *stop);

/* makes this thread's sleeps end in time, not up to 50 us later */
void pace_init_thread(void);

#endif
