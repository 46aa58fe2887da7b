/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * blktrace, started for devices: what it writes is standard input from then
 * on.  How tracing works, what it needs and what goes wrong is its alone.
 */
#ifndef TOOLS_BLKTOP_TRACER_H
#define TOOLS_BLKTOP_TRACER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/time.h"

/* --- tracer --------------------------------------------------------------- */

struct tracer {
	pid_t pid;		/* 0: none runs */
	uint64_t cpu;		/* ns that it had used when last asked */
};

/*
 * all: every step of an io is traced, else issue and completion, two records
 * a request, and where a device makes no requests, as dm and md, when I/Os are
 * queued; cgroups: records carry them.  0, or -errno; that blktrace cannot be
 * run, or fails, is only known when standard input ends: it has said why.
 */
int tracer_start(struct tracer *t, const char *const *devices, int count,
		 bool all, bool cgroups);

/*
 * Ends it, if it runs, and takes what it still writes from standard input,
 * which is /dev/null then.  Whether it ended well.
 */
bool tracer_stop(struct tracer *t);

/* CPU time that it and this process have used so far, in ns */
uint64_t tracer_cpu(struct tracer *t);

/* --- own ------------------------------------------------------------------ */

/*
 * What tracing and showing cost: the share of a CPU since one asked last.
 */

struct own {
	uint64_t cpu, when;	/* ns; 0: nobody has asked yet */
};

/* in hundredths of a percent of one CPU; -1: not known, the first time */
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
