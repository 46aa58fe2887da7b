/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What tracing and showing cost: the share of a CPU since one asked last.
 */
#ifndef TOOLS_BLKTOP_OWN_H
#define TOOLS_BLKTOP_OWN_H

#include <stdint.h>

#include "base/time.h"
#include "tools/blktop/tracer.h"

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
