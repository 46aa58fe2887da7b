/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Section "Active Requests At Q Information": the requests waiting when another
 * one was queued.
 */
#include <inttypes.h>

#include "base/buf.h"
#include "tools/btt/busy.h"
#include "tools/btt/disk.h"
#include "tools/btt/processes.h"
#include "tools/btt/report/report.h"
#include "tools/btt/seconds.h"
#include "tools/btt/state.h"

/* --- periods -------------------------------------------------------------- */

/* Section "I/O Active Period Information": the number of busy periods, and the
 * mean times of being busy and idle. */

static void periods_write_line(const struct report *r)
{
	buf_printf(r->out, "---------- | ---------- ------------- "
		   "------------- ------\n");
}

/* time counts from 0 on, but not with a single period */
static void periods_write_row(const struct report *r, const char *label,
		      const struct busy *b)
{
	struct busy_sums sums = busy_sums(b);
	double busy = 0, idle = 0, percent = 0;

	if (sums.periods == 1) {
		percent = 100.0;
	} else if (sums.periods) {
		double time = seconds_of_time(sums.time);
		double until = seconds_of_time(sums.end);

		busy = time / (double)sums.periods;
		idle = (until - time) / (double)(sums.periods - 1);
		percent = 100.0 * (time / until);
	}
	buf_printf(r->out, "%10s | %10" PRIu64 " %13.9f %13.9f %6.2f\n", label,
		   sums.periods, busy, idle, percent);
}

void report_periods(const struct report *r)
{
	char label[DISK_LABEL];

	section_title(r, "I/O Active Period Information");
	buf_printf(r->out, "%10s | %10s %13s %13s %6s\n", "DEV", "# Live",
		   "Avg. Act", "Avg. !Act", "% Live");
	periods_write_line(r);
	for (size_t i = 0; i < r->disk_count; i++) {
		disk_label(r->disks[i], label, DISK_COLUMN);
		periods_write_row(r, label, &r->disks[i]->busy);
	}
	periods_write_line(r);
	periods_write_row(r, "Total Sys", &r->s->busy);
	buf_printf(r->out, "\n");
}

/* --- ranges --------------------------------------------------------------- */

/* Range data to plot: when the system, each device and each process queued
 * requests (lower step) and had them completed (upper step). */

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
	/* devices by number, even if they have names */
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

/* --- active --------------------------------------------------------------- */

static void write_head(const struct report *r, const char *first,
		       const char *second)
{
	buf_printf(r->out, "%10s | %13s\n", first, second);
}

static void write_line(const struct report *r)
{
	buf_printf(r->out, "---------- | -------------\n");
}

static void write_row(const struct report *r, const char *label, uint64_t sum,
		      uint64_t queues)
{
	buf_printf(r->out, "%10s | %13.1f\n", label,
		   (double)sum / (double)queues);
}

static void device_row(const struct report *r, const struct disk *d)
{
	char label[DISK_LABEL];

	disk_label(d, label, DISK_COLUMN);
	write_row(r, label, d->active_sum, d->queues);
	if (!r->easy)
		return;
	disk_plain_label(d, label);
	buf_printf(r->easy, "ARQ %s %.9f\n", label,
		   (double)d->active_sum / (double)d->queues);
}

void report_active(const struct report *r)
{
	uint64_t sum = 0, queues = 0;
	int rows = 0;

	section_title(r, "Active Requests At Q Information");
	write_head(r, "DEV", "Avg Reqs @ Q");
	write_line(r);
	for (size_t i = 0; i < r->disk_count; i++) {
		const struct disk *d = r->disks[i];

		if (d->remapper || !d->queues)
			continue;
		device_row(r, d);
		sum += d->active_sum;
		queues += d->queues;
		rows++;
	}
	if (rows > 1) {
		write_line(r);
		write_head(r, "Overall", "Avgs Reqs @ Q");
		write_row(r, "Average", sum, queues);
	}
	buf_printf(r->out, "\n");
}
