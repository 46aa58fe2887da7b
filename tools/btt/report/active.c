/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Section "Active Requests At Q Information": how many requests were waiting
 * already when one more was queued.
 */
#include "base/buf.h"
#include "tools/btt/disk.h"
#include "tools/btt/report/sections.h"

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
