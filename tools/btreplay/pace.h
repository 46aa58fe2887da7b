/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Waiting for a moment on CLOCK_MONOTONIC: asleep until shortly before it,
 * then spinning.
 *
 * How long before is learnt.  It grows when sleeps end late, up to a bound.  If
 * a spin is interrupted, or a sleep ends far too late, the machine has other
 * work: then the bound shrinks, as the scheduler prefers threads that spin
 * little, and recovers while the machine is quiet.
 */
#ifndef TOOLS_BTREPLAY_PACE_H
#define TOOLS_BTREPLAY_PACE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct pace {
	uint64_t spin_max;	/* ns to spin at most; 0: never */
	uint64_t bound;		/* the same, for how busy the machine is */
	uint64_t lead;		/* ns that sleeps end before the moment */
};

/* spin_max in ns, 0: never spin */
void pace_init(struct pace *p, uint64_t spin_max);

/* ns of CLOCK_MONOTONIC */
uint64_t pace_now(void);

/* a sleep that should have ended at due has ended at now */
void pace_add_sleep(struct pace *p, uint64_t due, uint64_t now);

/* two looks of a spin at the clock were so many ns apart */
void pace_add_spin(struct pace *p, uint64_t blind);

/*
 * Waits until due, or until *stop, which is looked at ten times a second.
 * Returns the time then; less than due if it was stopped.
 */
uint64_t pace_wait(struct pace *p, uint64_t due, const atomic_bool *stop);

/* makes this thread's sleeps end when they should, not up to 50 us later */
void pace_init_thread(void);

#endif
