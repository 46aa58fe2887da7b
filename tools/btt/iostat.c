/* SPDX-License-Identifier: GPL-2.0-only */
/* What iostat would have seen of a device; see iostat.h. */
#include "tools/btt/iostat.h"
#include "tools/btt/requests.h"
#include "tools/btt/seconds.h"
#include "tools/btt/spans.h"

static void pass_in_queue(struct iostat_device *d, double now)
{
	double more = (now - d->queue_changed) * d->queued;

	d->interval.queue += more;
	d->all.queue += more;
	d->queue_changed = now;
}

static void pass_idle(struct iostat_device *d, double now)
{
	d->interval.idle += now - d->device_changed;
	d->all.idle += now - d->device_changed;
}

/* The device's time passes, idle unless it has requests. */
static void pass_in_device(struct iostat_device *d, double now)
{
	if (!d->issued)
		pass_idle(d, now);
	d->device_changed = now;
}

void iostat_allocate(struct iostat_device *d, uint64_t time)
{
	pass_in_queue(d, seconds_of_span(time));
	d->queued++;
}

void iostat_merge(struct iostat_device *d, int direction)
{
	d->interval.merges[direction]++;
	d->all.merges[direction]++;
}

void iostat_issue(struct iostat_device *d, int direction, uint64_t time,
		  uint32_t blocks)
{
	d->interval.issues[direction]++;
	d->all.issues[direction]++;
	d->interval.blocks[direction] += blocks;
	d->all.blocks[direction] += blocks;
	pass_in_device(d, seconds_of_span(time));
	d->issued++;
}

void iostat_complete(struct iostat_device *d, const struct request *r,
		     uint64_t time)
{
	uint64_t entered = r->inserted != NEVER ? r->inserted : r->merged;
	uint64_t wait = entered != NEVER ? span_between(entered, time) : 0;
	uint64_t service = span_between(r->queued, time);
	double now = seconds_of_span(time);

	d->interval.wait += wait;
	d->all.wait += wait;
	d->interval.service += service;
	d->all.service += service;
	pass_in_queue(d, now);
	d->queued--;
	pass_in_device(d, now);
	d->issued--;
}

void iostat_pass(struct iostat_device *d, double now)
{
	pass_idle(d, now);
	d->device_changed = now;
	pass_in_queue(d, now);
}
