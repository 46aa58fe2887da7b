/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Section "Device Merge Information": counts of queued and issued requests, and
 * sizes of completions.
 */
#include <inttypes.h>

#include "base/buf.h"
#include "tools/btt/disk.h"
#include "tools/btt/report/report.h"
#include "tools/btt/seconds.h"

/* --- plugs ---------------------------------------------------------------- */

/* Section "Plug Information": counts and times of plugs, and requests per
 * unplug. */

static void plugs_write_line(const struct report *r)
{
	buf_printf(r->out, "---------- | ---------- ----------  | "
		   "----------------\n");
}

static void plugs_write_head(const struct report *r, const char *first)
{
	buf_printf(r->out, "%10s | %10s %10s  | %s\n", first, "# Plugs",
		   "# Timer Us", "% Time Q Plugged");
}

static void plugs_write_row(const struct report *r, const char *label,
		      int64_t plugs, int64_t timers, double percent)
{
	buf_printf(r->out, "%10s | %10" PRId64 "(%10" PRId64
		   ") | %13.9f%%\n", label, plugs, timers, percent);
}

/* --- counts and times ---------------------------------------------------- */

struct sums {
	int64_t rows, count[2];
	double percent;
};

/* divides by 0 if no time has passed */
static double percent_of(const struct disk *d)
{
	return 100.0 * (d->plugs.seconds / (seconds_of_time(d->last) -
					    seconds_of_time(d->first)));
}

static void device_row(const struct report *r, const struct disk *d,
		       struct sums *sums)
{
	double percent = percent_of(d);
	int plugs = (int)d->plugs.count[0], timers = (int)d->plugs.count[1];
	char label[DISK_LABEL];

	disk_label(d, label, DISK_COLUMN);
	plugs_write_row(r, label, plugs, timers, percent);
	if (r->easy) {
		disk_plain_label(d, label);
		buf_printf(r->easy, "PLG %s %d %d %.9f\n", label, plugs,
			   timers, percent);
	}
	sums->rows++;
	sums->count[0] += plugs;
	sums->count[1] += timers;
	sums->percent += percent;
}

static void write_plugs(const struct report *r)
{
	struct sums sums = { 0 };

	plugs_write_head(r, "DEV");
	plugs_write_line(r);
	for (size_t i = 0; i < r->disk_count; i++) {
		const struct plugs *p = &r->disks[i]->plugs;

		if (p->count[0] || p->count[1])
			device_row(r, r->disks[i], &sums);
	}
	if (sums.rows > 1) {
		plugs_write_line(r);
		plugs_write_head(r, "Overall");
		plugs_write_row(r, "Average", sums.count[0] / sums.rows,
			  sums.count[1] / sums.rows,
			  sums.percent / (double)sums.rows);
	}
	buf_printf(r->out, "\n");
}

/* --- requests per unplug ------------------------------------------------- */

static void unplugs_line(const struct report *r)
{
	buf_printf(r->out, "---------- | ----------   ----------\n");
}

static void unplugs_head(const struct report *r, const char *first)
{
	buf_printf(r->out, "%10s | %10s   %10s\n", first, "IOs/Unp",
		   "IOs/Unp(to)");
}

/* the mean of each kind, or 0 */
static void unplugs_row(const struct report *r, const char *label,
			const struct plugs *p, double mean[2])
{
	for (int i = 0; i < 2; i++)
		mean[i] = p->count[i] && p->requests[i] ?
			(double)p->requests[i] / (double)p->count[i] : 0.0;
	buf_printf(r->out, "%10s | %10.1f   %10.1f\n", label, mean[0],
		   mean[1]);
}

static void add_unplugs(struct plugs *sum, const struct plugs *p)
{
	for (int i = 0; i < 2; i++) {
		if (!p->count[i] || !p->requests[i])
			continue;
		sum->count[i] += p->count[i];
		sum->requests[i] += p->requests[i];
	}
}

static void write_unplugs(const struct report *r)
{
	struct plugs sum = { .plugged = false };
	char label[DISK_LABEL];
	double mean[2];

	unplugs_head(r, "DEV");
	unplugs_line(r);
	for (size_t i = 0; i < r->disk_count; i++) {
		const struct disk *d = r->disks[i];

		disk_label(d, label, DISK_COLUMN);
		unplugs_row(r, label, &d->plugs, mean);
		if (r->easy) {
			disk_plain_label(d, label);
			buf_printf(r->easy, "UPG %s %.9f %.9f\n", label,
				   mean[0], mean[1]);
		}
		add_unplugs(&sum, &d->plugs);
	}
	if (sum.count[0] || sum.count[1]) {
		unplugs_line(r);
		unplugs_head(r, "Overall");
		unplugs_row(r, "Average", &sum, mean);
	}
	buf_printf(r->out, "\n");
}

void report_plugs(const struct report *r)
{
	section_title(r, "Plug Information");
	write_plugs(r);
	write_unplugs(r);
}

/* --- merges --------------------------------------------------------------- */

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

/* the mean is the size of completions by the number of issues */
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
