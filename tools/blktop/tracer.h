/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Starts blktrace for devices and makes its output our standard input.
 * blktrace reports its errors itself.
 */
#ifndef TOOLS_BLKTOP_TRACER_H
#define TOOLS_BLKTOP_TRACER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/time.h"

/* --- tracer --------------------------------------------------------------- */

struct tracer {
	pid_t pid;		/* 0: not running */
	uint64_t cpu;		/* ns used, at the last tracer_cpu() */
};

/*
 * all: trace every step of an I/O; else issue and completion only, and, of a
 * device without requests (dm, md), queueing.  cgroups: with cgroup ids.  0 or
 * -errno.  If blktrace cannot be run, or fails, it prints a message and
 * standard input ends.
 */
int tracer_start(struct tracer *t, const char *const *devices, int count,
		 bool all, bool cgroups);

/* Stops blktrace, if it runs, discards the rest of its output, and makes
 * standard input /dev/null.  Whether blktrace succeeded. */
bool tracer_stop(struct tracer *t);

/* CPU time used by blktrace and this process so far, ns */
uint64_t tracer_cpu(struct tracer *t);

/* --- own ------------------------------------------------------------------ */

/* The cost of tracing and showing: our share of a CPU since the last call. */

struct own {
	uint64_t cpu, when;	/* ns; 0: no call yet */
};

/* hundredths of a percent of one CPU; -1: unknown, as at the first call */
static inline int64_t own_share(struct own *o, struct tracer *t)
{
	struct own last = *o;

	*o = (struct own){ tracer_cpu(t), time_now() };
	if (!last.when || o->when == last.when || o->cpu < last.cpu)
		return -1;
	return (int64_t)((double)(o->cpu - last.cpu) * 10000 /
			 (double)(o->when - last.when));
}

#endif
