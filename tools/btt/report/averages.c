/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Sections "Per Process", "Per Device", "All Devices": the least, mean and
 * longest time of each span of a request's life.
 */
#include <string.h>

#include "base/buf.h"
#include "tools/btt/disk.h"
#include "tools/btt/processes.h"
#include "tools/btt/report/sections.h"
#include "tools/btt/seconds.h"
#include "tools/btt/spans.h"
#include "tools/btt/state.h"

static const char *const names[SPANS] = {
	[SPAN_Q2Q_DM] = "Q2Qdm", [SPAN_Q2A_DM] = "Q2Adm",
	[SPAN_Q2C_DM] = "Q2Cdm", [SPAN_Q2Q] = "Q2Q", [SPAN_Q2A] = "Q2A",
	[SPAN_Q2G] = "Q2G", [SPAN_S2G] = "S2G", [SPAN_G2I] = "G2I",
	[SPAN_Q2M] = "Q2M", [SPAN_I2D] = "I2D", [SPAN_M2D] = "M2D",
	[SPAN_D2C] = "D2C", [SPAN_Q2C] = "Q2C",
};

/* An empty line stands before the spans of ordinary devices. */
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

/* --- one table for each span --------------------------------------------- */

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
