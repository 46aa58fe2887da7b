/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Taps on the rings of joined records: a run of them, as an event is in the trace
 * of the CPU where it was, and its record in the ring of another.
 *
 * Records come when an I/O ends, and its first events are older than what others
 * have written meanwhile.  So events are held until none can come that is older,
 * up to two seconds while an I/O is open; and at most HELD_MAX of a CPU.
 */
#ifndef CAPTURE_FROM_JOINED_CPU_H
#define CAPTURE_FROM_JOINED_CPU_H

#include <stdbool.h>
#include <stdint.h>

struct cpus;			/* capture/cpus.h */
struct joined;			/* bpf/joined.h */
struct joined_run;
struct tap;			/* capture/tap.h */

struct joined_plan {
	struct joined *joined;	/* not attached yet */
	const struct cpus *cpus;	/* those that have taps */
	const uint32_t *devices;	/* the run's, as in records */
	unsigned int count;
	uint32_t mask;		/* categories, one of which an event must have */
};

/* 0 or -ENOMEM; the plan's pointers must outlive it */
int joined_run_new(struct joined_run **r, const struct joined_plan *plan);

/* in the CPU's thread; 0 or -errno.  The first CPU's tap stamps the start */
int joined_cpu_open(struct tap **t, struct joined_run *r, uint32_t cpu);

/* After joined_detach(): taps have all that was recorded from now on.  0 or
 * -errno. */
int joined_run_stop(struct joined_run *r);

/* after all taps are closed; r may be NULL */
void joined_run_free(struct joined_run *r);

#endif
