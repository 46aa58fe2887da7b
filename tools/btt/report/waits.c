/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Section "Q2D Histogram": how many percent of the requests waited how long
 * before they were issued.
 */
#include "base/buf.h"
#include "tools/btt/disk.h"
#include "tools/btt/report/sections.h"

static void write_line(const struct report *r, const char *first)
{
	buf_printf(r->out, "%s | ", first);
	for (int i = 0; i < WAITS; i++)
		buf_printf(r->out, "===== ");
	buf_printf(r->out, "\n");
}

/* The newline is part of the last column, with that column's blank behind. */
static void write_head(const struct report *r)
{
	static const char *const names[WAITS] = {
		"<.005", "<.010", "<.025", "<.050", "<.075",
		"<.100", "<.250", "<.500", "< 1.0", ">=1.0\n",
	};

	buf_printf(r->out, "%10s | ", "DEV");
	for (int i = 0; i < WAITS; i++)
		buf_printf(r->out, "%5s ", names[i]);
	write_line(r, "---------");
}

static uint64_t sum_of(const struct waits *w)
{
	uint64_t sum = 0;

	for (int i = 0; i < WAITS; i++)
		sum += w->counts[i];
	return sum;
}

static void write_row(const struct report *r, const char *label,
		      const struct waits *w)
{
	double all = (double)sum_of(w);

	buf_printf(r->out, "%10s | ", label);
	for (int i = 0; i < WAITS; i++)
		buf_printf(r->out, "%5.1f ",
			   100.0 * (double)w->counts[i] / all);
	buf_printf(r->out, "\n");
}

void report_waits(const struct report *r)
{
	struct waits sums = { .counts = { 0 } };
	char label[DISK_LABEL];

	section_title(r, "Q2D Histogram");
	write_head(r);
	for (size_t i = 0; i < r->disk_count; i++) {
		const struct disk *d = r->disks[i];

		if (!sum_of(&d->waits))
			continue;
		disk_label(d, label, DISK_COLUMN);
		write_row(r, label, &d->waits);
		for (int class = 0; class < WAITS; class++)
			sums.counts[class] += d->waits.counts[class];
	}
	if (sum_of(&sums)) {
		write_line(r, "==========");
		write_row(r, "AVG", &sums);
		buf_printf(r->out, "\n");
	}
}
