/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Section "Device Overhead": which part of a request's time, from queueing to
 * completion, was spent where, in percent.
 */
#include "base/buf.h"
#include "tools/btt/disk.h"
#include "tools/btt/report/sections.h"

static const enum span parts[] = {
	SPAN_Q2G, SPAN_G2I, SPAN_Q2M, SPAN_I2D, SPAN_D2C,
};

enum { PARTS = sizeof(parts) / sizeof(*parts) };

struct sums {
	struct { uint64_t count, total; } part[PARTS];
	uint64_t total;		/* of Q2C */
};

static void write_line(const struct report *r)
{
	buf_printf(r->out, "---------- | --------- --------- --------- "
		   "--------- ---------\n");
}

static void write_row(const struct report *r, const char *label,
		      const double percent[PARTS])
{
	buf_printf(r->out, "%10s |", label);
	for (int i = 0; i < PARTS; i++)
		buf_printf(r->out, " %8.4f%%", percent[i]);
	buf_printf(r->out, "\n");
}

static double percent_of(uint64_t part, uint64_t whole)
{
	return 100.0 * ((double)part / (double)whole);
}

static void device_row(const struct report *r, const struct disk *d,
		       struct sums *sums)
{
	const struct cell *spans = d->spans.cells;
	uint64_t whole = spans[SPAN_Q2C].total;
	double percent[PARTS];
	char label[DISK_LABEL];

	for (int i = 0; i < PARTS; i++) {
		const struct cell *c = &spans[parts[i]];

		percent[i] = 100.0 * (double)c->total / (double)whole;
		sums->part[i].count += c->count;
		sums->part[i].total += c->total;
	}
	sums->total += whole;
	disk_label(d, label, DISK_COLUMN);
	write_row(r, label, percent);
}

static void overall_row(const struct report *r, const struct sums *sums)
{
	double percent[PARTS];
	uint64_t count = 0;

	for (int i = 0; i < PARTS; i++) {
		count += sums->part[i].count;
		percent[i] = sums->part[i].count ?
			percent_of(sums->part[i].total, sums->total) : 0.0;
	}
	if (!count)
		return;
	write_line(r);
	write_row(r, "Overall", percent);
}

void report_overhead(const struct report *r)
{
	struct sums sums = { .total = 0 };

	section_title(r, "Device Overhead");
	buf_printf(r->out, "%10s | %9s %9s %9s %9s %9s\n", "DEV", "Q2G", "G2I",
		   "Q2M", "I2D", "D2C");
	write_line(r);
	for (size_t i = 0; i < r->disk_count; i++) {
		const struct cell *q2c =
			&r->disks[i]->spans.cells[SPAN_Q2C];

		if (q2c->count && q2c->total)
			device_row(r, r->disks[i], &sums);
	}
	overall_row(r, &sums);
	buf_printf(r->out, "\n");
}
