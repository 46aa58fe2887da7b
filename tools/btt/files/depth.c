/* SPDX-License-Identifier: GPL-2.0-only */
/* Queue depth; see depth.h. */
#include "base/num.h"
#include "tools/btt/datafile.h"
#include "tools/btt/files/depth.h"
#include "tools/btt/seconds.h"

static char *point(char *p, uint64_t time, uint32_t requests)
{
	p = seconds_micro_time(p, time);
	*p++ = ' ';
	p = num_u64(p, requests);
	*p++ = '\n';
	return p;
}

/* Two points make a step. */
static void step(struct depth *d, uint64_t time, uint32_t to)
{
	char *p = datafile_room(d->file, 4 * SECONDS_MAX);

	if (p)
		datafile_commit(d->file, point(point(p, time, d->requests),
					       time, to));
	d->requests = to;
}

void depth_issue(struct depth *d, uint64_t time)
{
	if (d->file)
		step(d, time, d->requests + 1);
}

void depth_complete(struct depth *d, uint64_t time)
{
	if (d->file && d->requests)
		step(d, time, d->requests - 1);
}
