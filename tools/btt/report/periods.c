/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Section "I/O Active Period Information": how many times devices became busy,
 * how long they were busy and idle in the mean.
 */
#include <inttypes.h>

#include "base/buf.h"
#include "tools/btt/busy.h"
#include "tools/btt/disk.h"
#include "tools/btt/report/sections.h"
#include "tools/btt/seconds.h"
#include "tools/btt/state.h"

static void write_line(const struct report *r)
{
	buf_printf(r->out, "---------- | ---------- ------------- "
		   "------------- ------\n");
}

/* All time counts, from 0 on; but a single period is all there is. */
static void write_row(const struct report *r, const char *label,
		      const struct busy *b)
{
	struct busy_sums sums = busy_sums(b);
	double busy = 0, idle = 0, percent = 0;

	if (sums.periods == 1) {
		percent = 100.0;
	} else if (sums.periods) {
		double time = seconds_of_time(sums.time);
		double whole = seconds_of_time(sums.end);

		busy = time / (double)sums.periods;
		idle = (whole - time) / (double)(sums.periods - 1);
		percent = 100.0 * (time / whole);
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
	write_line(r);
	for (size_t i = 0; i < r->disk_count; i++) {
		disk_label(r->disks[i], label, DISK_COLUMN);
		write_row(r, label, &r->disks[i]->busy);
	}
	write_line(r);
	write_row(r, "Total Sys", &r->s->busy);
	buf_printf(r->out, "\n");
}
