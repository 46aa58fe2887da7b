/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Range data, to plot: when the system, each device and each process queued
 * requests (the lower step of each) and had them completed (the upper).
 */
#include "base/buf.h"
#include "tools/btt/disk.h"
#include "tools/btt/processes.h"
#include "tools/btt/report/sections.h"
#include "tools/btt/seconds.h"
#include "tools/btt/state.h"

static void write_point(const struct report *r, uint64_t time, float y)
{
	buf_printf(r->ranges, "%13.9f %5.1f\n", seconds_of_time(time),
		   (double)y);
}

static void write_steps(const struct report *r, const char *label,
			const char *what, const struct ranges *ranges, float y)
{
	buf_printf(r->ranges, "# %16s : %s activity\n", label, what);
	for (size_t i = 0; i < ranges->count; i++) {
		const struct range *range = &ranges->list[i];
		float high = (float)(y + 0.4);

		write_point(r, range->start, y);
		write_point(r, range->start, high);
		write_point(r, range->end, high);
		write_point(r, range->end, y);
	}
	buf_printf(r->ranges, "\n");
}

/* false: it was never active */
static bool write_spans(const struct report *r, const char *label,
			const struct spans *s, float y)
{
	if (!s->queued.count && !s->completed.count)
		return false;
	write_steps(r, label, "q", &s->queued, y);
	write_steps(r, label, "c", &s->completed, (float)(y + 0.5));
	return true;
}

/* A process that was never active leaves a gap, a device does not. */
void report_ranges(const struct report *r)
{
	char label[DISK_LABEL], name[PROCESS_LABEL];
	float y = 0;

	buf_printf(r->ranges, "# Total System\n");
	if (write_spans(r, "Total System", &r->s->system, y))
		y += 1;
	/* devices go by their numbers here, whatever their names are */
	if (r->s->disks.count > 1) {
		buf_printf(r->ranges, "# Per device\n");
		for (size_t i = 0; i < r->disk_count; i++) {
			disk_number(r->disks[i], label);
			y += write_spans(r, label, &r->disks[i]->spans, y);
		}
	}
	buf_printf(r->ranges, "# Per process\n");
	for (size_t i = 0; i < r->process_count; i++) {
		const struct process *p = r->processes[i];

		process_label(p, r->ranges->terminal, PROCESS_LABEL - 1, name);
		write_spans(r, name, &p->spans, y);
		y += 1;
	}
}
