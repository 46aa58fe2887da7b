/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Section "Device Merge Information": how many queued requests became how many
 * that were issued, and how large what was completed.
 */
#include <inttypes.h>

#include "base/buf.h"
#include "tools/btt/disk.h"
#include "tools/btt/report/sections.h"

struct row {
	uint64_t queues, issues;
	double ratio;
	uint64_t min, mean, max, total;	/* blocks */
};

static void write_head(const struct report *r)
{
	buf_printf(r->out, "%10s | %8s %8s %7s | %8s %8s %8s %8s\n", "DEV",
		   "#Q", "#D", "Ratio", "BLKmin", "BLKavg", "BLKmax", "Total");
}

static void write_line(const struct report *r)
{
	buf_printf(r->out, "---------- | -------- -------- ------- | "
		   "-------- -------- -------- --------\n");
}

static void write_row(const struct report *r, const char *label,
		      const struct row *row)
{
	buf_printf(r->out, "%10s | %8" PRIu64 " %8" PRIu64 " %7.1f | "
		   "%8" PRIu64 " %8" PRIu64 " %8" PRIu64 " %8" PRIu64 "\n",
		   label, row->queues, row->issues, row->ratio, row->min,
		   row->mean, row->max, row->total);
}

static void write_easy(const struct report *r, const struct disk *d,
		       const struct row *row)
{
	char label[DISK_LABEL];

	if (!r->easy)
		return;
	disk_plain_label(d, label);
	buf_printf(r->easy, "DMI %s %" PRIu64 " %" PRIu64 " %.9f %" PRIu64
		   " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", label,
		   row->queues, row->issues, row->ratio, row->min, row->mean,
		   row->max, row->total);
}

static void add_row(struct row *sum, const struct row *row)
{
	if (!sum->queues || row->min < sum->min)
		sum->min = row->min;
	if (row->max > sum->max)
		sum->max = row->max;
	sum->queues += row->queues;
	sum->issues += row->issues;
	sum->total += row->total;
}

/* Completions are counted, but issues are what their sum is divided by. */
static struct row row_of(const struct disk *d)
{
	const struct cell *blocks = &d->blocks;

	return (struct row){
		.queues = d->queues,
		.issues = d->issues,
		.ratio = (double)d->queues / (double)d->issues,
		.min = blocks->count ? blocks->min : 0,
		.mean = (uint64_t)((double)blocks->total /
				   (double)d->issues),
		.max = blocks->max,
		.total = blocks->total,
	};
}

static void total_row(const struct report *r, struct row *sum)
{
	sum->ratio = (double)((float)sum->queues / (float)sum->issues);
	sum->mean = sum->total / sum->issues;
	write_line(r);
	write_head(r);
	write_row(r, "TOTAL", sum);
}

void report_merges(const struct report *r)
{
	struct row sum = { 0 };
	int rows = 0;

	section_title(r, "Device Merge Information");
	write_head(r);
	write_line(r);
	for (size_t i = 0; i < r->disk_count; i++) {
		const struct disk *d = r->disks[i];
		struct row row;
		char label[DISK_LABEL];

		if (!d->queues || !d->issues)
			continue;
		row = row_of(d);
		disk_label(d, label, DISK_COLUMN);
		write_row(r, label, &row);
		write_easy(r, d, &row);
		add_row(&sum, &row);
		rows++;
	}
	if (rows > 1)
		total_row(r, &sum);
	buf_printf(r->out, "\n");
}
