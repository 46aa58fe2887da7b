/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Sections "Per Process", "Per Device", "All Devices": minimum, mean and
 * maximum of each span.
 */
#include <string.h>

#include "base/buf.h"
#include "tools/btt/disk.h"
#include "tools/btt/processes.h"
#include "tools/btt/report/report.h"
#include "tools/btt/seconds.h"
#include "tools/btt/spans.h"
#include "tools/btt/state.h"

/* --- overhead ------------------------------------------------------------- */

/* Section "Device Overhead": spans as percentages of Q2C. */

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

static void overhead_write_row(const struct report *r, const char *label,
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
	overhead_write_row(r, label, percent);
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
	overhead_write_row(r, "Overall", percent);
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

/* --- waits ---------------------------------------------------------------- */

/* Section "Q2D Histogram": percentages of requests by the time until issue. */

static void waits_write_line(const struct report *r, const char *first)
{
	buf_printf(r->out, "%s | ", first);
	for (int i = 0; i < WAITS; i++)
		buf_printf(r->out, "===== ");
	buf_printf(r->out, "\n");
}

/* The newline is in the last column, so that column's blank follows it. */
static void waits_write_head(const struct report *r)
{
	static const char *const names[WAITS] = {
		"<.005", "<.010", "<.025", "<.050", "<.075",
		"<.100", "<.250", "<.500", "< 1.0", ">=1.0\n",
	};

	buf_printf(r->out, "%10s | ", "DEV");
	for (int i = 0; i < WAITS; i++)
		buf_printf(r->out, "%5s ", names[i]);
	waits_write_line(r, "---------");
}

static uint64_t sum_of(const struct waits *w)
{
	uint64_t sum = 0;

	for (int i = 0; i < WAITS; i++)
		sum += w->counts[i];
	return sum;
}

static void waits_write_row(const struct report *r, const char *label,
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
	waits_write_head(r);
	for (size_t i = 0; i < r->disk_count; i++) {
		const struct disk *d = r->disks[i];

		if (!sum_of(&d->waits))
			continue;
		disk_label(d, label, DISK_COLUMN);
		waits_write_row(r, label, &d->waits);
		for (int class = 0; class < WAITS; class++)
			sums.counts[class] += d->waits.counts[class];
	}
	if (sum_of(&sums)) {
		waits_write_line(r, "==========");
		waits_write_row(r, "AVG", &sums);
		buf_printf(r->out, "\n");
	}
}

/* --- averages ------------------------------------------------------------- */

static const char *const names[SPANS] = {
	[SPAN_Q2Q_DM] = "Q2Qdm", [SPAN_Q2A_DM] = "Q2Adm",
	[SPAN_Q2C_DM] = "Q2Cdm", [SPAN_Q2Q] = "Q2Q", [SPAN_Q2A] = "Q2A",
	[SPAN_Q2G] = "Q2G", [SPAN_S2G] = "S2G", [SPAN_G2I] = "G2I",
	[SPAN_Q2M] = "Q2M", [SPAN_I2D] = "I2D", [SPAN_M2D] = "M2D",
	[SPAN_D2C] = "D2C", [SPAN_Q2C] = "Q2C",
};

/* an empty line precedes the spans of ordinary devices */
static const enum span FIRST_ORDINARY = SPAN_Q2Q;

static void write_head(const struct report *r, const char *name)
{
	buf_printf(r->out, "%15s %13s %13s %13s %11s\n", name, "MIN", "AVG",
		   "MAX", "N");
	buf_printf(r->out, "--------------- ------------- ------------- "
		   "------------- -----------\n");
}

static double mean(const struct cell *c)
{
	return seconds_of_time(c->total) / (double)c->count;
}

static void write_row(const struct report *r, const char *label,
		      const struct cell *c)
{
	if (c->count)
		buf_printf(r->out, "%-15s %13.9f %13.9f %13.9f %11d\n", label,
			   seconds_of_time(c->min), mean(c),
			   seconds_of_time(c->max), (int)c->count);
}

/* --- a table per span ---------------------------------------------------- */

/* 1.3.0: M2D is in none of these tables. */
static bool has_table(enum span span)
{
	return span != SPAN_M2D;
}

static void process_table(const struct report *r, enum span span)
{
	char label[PROCESS_LABEL];

	for (size_t i = 0; i < r->process_count; i++) {
		const struct process *p = r->processes[i];

		process_label(p, r->out->terminal, DISK_COLUMN, label);
		write_row(r, label, &p->spans.cells[span]);
	}
}

static void device_table(const struct report *r, enum span span)
{
	char label[DISK_LABEL];

	for (size_t i = 0; i < r->disk_count; i++) {
		disk_label(r->disks[i], label, DISK_COLUMN);
		write_row(r, label, &r->disks[i]->spans.cells[span]);
	}
}

static void write_tables(const struct report *r,
			 void (*table)(const struct report *r, enum span span))
{
	for (enum span span = 0; span < SPANS; span++) {
		if (!has_table(span))
			continue;
		if (span == FIRST_ORDINARY)
			buf_printf(r->out, "\n");
		write_head(r, names[span]);
		table(r, span);
		buf_printf(r->out, "\n");
	}
}

void report_per_process(const struct report *r)
{
	section_title(r, "Per Process");
	write_tables(r, process_table);
}

void report_per_device(const struct report *r)
{
	section_title(r, "Per Device");
	write_tables(r, device_table);
}

/* --- one table for all --------------------------------------------------- */

static void write_easy(const struct report *r, const char *name,
		       const struct cell *c)
{
	if (c->count && r->easy)
		buf_printf(r->easy, "%s %.9f %.9f %.9f %d\n", name,
			   seconds_of_time(c->min), mean(c),
			   seconds_of_time(c->max), (int)c->count);
}

void report_all_devices(const struct report *r)
{
	section_title(r, "All Devices");
	write_head(r, "ALL");
	for (enum span span = 0; span < SPANS; span++) {
		const struct cell *c = &r->s->system.cells[span];

		if (span == FIRST_ORDINARY)
			buf_printf(r->out, "\n");
		write_row(r, names[span], c);
		if (span >= FIRST_ORDINARY)
			write_easy(r, names[span], c);
	}
	buf_printf(r->out, "\n");
}
