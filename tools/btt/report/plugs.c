/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Section "Plug Information": how often and how long devices were plugged,
 * and how many requests each unplug let go.
 */
#include <inttypes.h>

#include "base/buf.h"
#include "tools/btt/disk.h"
#include "tools/btt/report/sections.h"
#include "tools/btt/seconds.h"

static void write_line(const struct report *r)
{
	buf_printf(r->out, "---------- | ---------- ----------  | "
		   "----------------\n");
}

static void write_head(const struct report *r, const char *first)
{
	buf_printf(r->out, "%10s | %10s %10s  | %s\n", first, "# Plugs",
		   "# Timer Us", "% Time Q Plugged");
}

static void write_row(const struct report *r, const char *label,
		      int64_t plugs, int64_t timers, double percent)
{
	buf_printf(r->out, "%10s | %10" PRId64 "(%10" PRId64
		   ") | %13.9f%%\n", label, plugs, timers, percent);
}

/* --- how often, how long ------------------------------------------------- */

struct sums {
	int64_t rows, count[2];
	double percent;
};

/* Of no time at all, that is what C makes of a division by 0. */
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
	write_row(r, label, plugs, timers, percent);
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

	write_head(r, "DEV");
	write_line(r);
	for (size_t i = 0; i < r->disk_count; i++) {
		const struct plugs *p = &r->disks[i]->plugs;

		if (p->count[0] || p->count[1])
			device_row(r, r->disks[i], &sums);
	}
	if (sums.rows > 1) {
		write_line(r);
		write_head(r, "Overall");
		write_row(r, "Average", sums.count[0] / sums.rows,
			  sums.count[1] / sums.rows,
			  sums.percent / (double)sums.rows);
	}
	buf_printf(r->out, "\n");
}

/* --- how many requests --------------------------------------------------- */

static void unplugs_line(const struct report *r)
{
	buf_printf(r->out, "---------- | ----------   ----------\n");
}

static void unplugs_head(const struct report *r, const char *first)
{
	buf_printf(r->out, "%10s | %10s   %10s\n", first, "IOs/Unp",
		   "IOs/Unp(to)");
}

/* The mean of each kind, 0 where there is none, or nothing was let go. */
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
