/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Plugs: a device holds requests back to merge them, until it is unplugged,
 * by the kernel's choice or its timer.
 */
#ifndef TOOLS_BTT_PLUGS_H
#define TOOLS_BTT_PLUGS_H

#include <stdbool.h>
#include <stdint.h>

#include "tools/btt/seconds.h"

struct plugs {
	bool plugged;
	uint64_t since;		/* when it was plugged last */
	double seconds;		/* in which it was plugged */
	/* of unplugs by choice [0] and by the timer [1] */
	uint32_t count[2];
	uint64_t requests[2];	/* that they let go */
};

static inline void plugs_close(struct plugs *p, uint64_t time)
{
	if (!p->plugged)
		p->since = time;
	p->plugged = true;
}

/* means nothing to one that is not plugged */
static inline void plugs_open(struct plugs *p, bool timer, uint64_t requests,
			      uint64_t time)
{
	if (!p->plugged)
		return;
	p->plugged = false;
	p->seconds += seconds_of_time(time) - seconds_of_time(p->since);
	p->count[timer]++;
	p->requests[timer] += requests;
}

#endif
