/* SPDX-License-Identifier: GPL-2.0-only */
/* Tables as HTML; see table_rows.h. */
#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "emit/machine_words.h"
#include "report/markup.h"
#include "report/page.h"
#include "report/table_rows.h"
#include "run/device.h"
#include "run/reader.h"
#include "stat/facts.h"

/* --- a row's numbers ------------------------------------------------------ */

static struct figure as_count(double v)
{
	return figure_count((uint64_t)v);
}

static struct figure as_size_a_second(double v)
{
	struct figure f = figure_size(v);
	size_t len = strlen(f.unit);

	snprintf(f.unit + len, sizeof(f.unit) - len, "/s");
	return f;
}

static const struct {
	const char *head;
	struct figure (*figure)(double v);
} columns[TABLE_ROW_VALUES] = {
	{ "I/Os", as_count }, { "/s", figure_decimal },
	{ "Data", figure_size }, { "/s", as_size_a_second },
	{ "Mean size", figure_size },
	{ "Q2C p50", figure_time }, { "p90", figure_time },
	{ "p99", figure_time }, { "p99.9", figure_time },
	{ "max", figure_time },
	{ "D2C p50", figure_time }, { "p99", figure_time },
	{ "max", figure_time },
};

static double *put_span(double *to, const struct report_table_row *row,
			enum report_span span, const unsigned int *which,
			unsigned int count)
{
	const struct histogram *h = &row->sums.spans[span];

	for (unsigned int i = 0; i < count; i++)
		*to++ = h->count ? (double)row->percentiles[span][which[i]] :
				   NAN;
	*to++ = h->count ? (double)h->max : NAN;
	return to;
}

void table_rows_values(const struct report_page *p,
		       const struct report_table_row *row,
		       double values[TABLE_ROW_VALUES])
{
	static const unsigned int all[] = { 0, 1, 2, 3 }, some[] = { 0, 2 };
	double each = p->r->length ? 1e9 / (double)p->r->length : 0;
	double count = (double)row->sums.count;
	double bytes = (double)row->bytes;
	double *to = values;

	*to++ = count;
	*to++ = count * each;
	*to++ = bytes;
	*to++ = bytes * each;
	*to++ = bytes > 0 ? bytes / (double)row->bytes_ios : NAN;
	to = put_span(to, row, REPORT_Q2C, all, 4);
	put_span(to, row, REPORT_D2C, some, 2);
}

void table_rows_numbers(const double values[TABLE_ROW_VALUES], struct buf *b)
{
	for (unsigned int i = 0; i < TABLE_ROW_VALUES; i++)
		markup_cell(b, isnan(values[i]) ? figure_none() :
						  columns[i].figure(values[i]));
}

static void put_numbers(const struct report_page *p, struct buf *b,
			const struct report_table_row *row)
{
	double values[TABLE_ROW_VALUES];

	table_rows_values(p, row, values);
	table_rows_numbers(values, b);
	markup(b, "</tr>\n");
}

/* --- whose row it is ------------------------------------------------------ */

static void begin_op(const struct report_page *p, struct buf *b,
		     const struct report_table_row *row)
{
	const char *name = page_op_name((unsigned int)row->key);

	(void)p;
	markup(b, "<tr data-op=\"%s\"><th scope=\"row\">%c%s</th>",
	       page_op_key((unsigned int)row->key), toupper(*name), name + 1);
}

void table_rows_share(const struct report_page *p,
		      const struct report_table_row *row, struct buf *b)
{
	double all = (double)p->tables->of[REPORT_ALL].rows[0].bytes;
	double part = (double)row->bytes;
	char share[FIGURE_TEXT_MAX];

	figure_text(share, figure_share(part, all));
	markup(b, "<td class=\"num share\" style=\"--part:%.1f%%\">",
	       all > 0 ? 100 * part / all : 0);
	markup_text(b, share);
	markup(b, "</td>");
}

static void begin_process(const struct report_page *p, struct buf *b,
			  const struct report_table_row *row)
{
	uint32_t index = page_process_index(p, (uint32_t)row->key);
	char text[PAGE_NAME_MAX];

	markup(b, "<tr data-process=\"%u\"><th scope=\"row\">", index);
	markup_text(b, page_process(p, index, text));
	markup(b, "</th>");
	table_rows_share(p, row, b);
}

static void begin_device(const struct report_page *p, struct buf *b,
			 const struct report_table_row *row)
{
	uint32_t index = page_device_index(p, (uint32_t)row->key);
	const struct report_disk *d = &p->r->disks.list[row->key];
	char text[PAGE_NAME_MAX];

	markup(b, "<tr data-device=\"%u\"%s><th scope=\"row\""
	       " style=\"--level:%u\">", index, d->on ? "" : " class=\"off\"",
	       d->level);
	markup_text(b, page_device(p, index, text));
	markup(b, "</th>");
}

static void begin_cgroup(const struct report_page *p, struct buf *b,
			 const struct report_table_row *row)
{
	const char *path = page_cgroup_path(p, row->key);
	char text[PAGE_NAME_MAX];

	markup(b, "<tr><th scope=\"row\"");
	if (path) {
		markup(b, " title=\"");
		markup_text(b, path);
		markup(b, "\"");
	}
	markup(b, ">");
	markup_text(b, page_cgroup(p, row->key, text));
	markup(b, "</th>");
}

/* --- tables --------------------------------------------------------------- */

static const struct {
	const char *id, *caption, *head;
	bool shares;
	void (*begin)(const struct report_page *p, struct buf *b,
		      const struct report_table_row *row);
} tables[REPORT_TABLES] = {
	[REPORT_BY_OP] = { "t-operations", "By operation", "Operation", false,
			   begin_op },
	[REPORT_BY_PROCESS] = { "t-processes", "By process", "Process", true,
				begin_process },
	[REPORT_BY_DISK] = { "t-devices", "By device", "Device", false,
			     begin_device },
	[REPORT_BY_CGROUP] = { "t-cgroups", "By control group",
			       "Control group", false, begin_cgroup },
};

static void begin_table(struct buf *b, const char *id, const char *caption)
{
	markup(b, "<section id=\"%s\"><div class=\"wide\"><table>"
	       "<caption>%s</caption><thead><tr>", id, caption);
}

void table_rows_begin(unsigned int kind, const char *head, struct buf *b)
{
	begin_table(b, tables[kind].id, tables[kind].caption);
	markup(b, "<th scope=\"col\">%s</th>%s", tables[kind].head, head);
	if (tables[kind].shares)
		markup(b, "<th scope=\"col\" class=\"num\">Share</th>");
	for (unsigned int i = 0; i < TABLE_ROW_VALUES; i++)
		markup(b, "<th scope=\"col\" class=\"num\">%s</th>",
		       columns[i].head);
	markup(b, "</tr></thead><tbody>\n");
}

void table_rows_end(struct buf *b)
{
	markup(b, "</tbody></table></div></section>\n");
}

/* Processes and devices stand as meta has them: most ios first, as a tree. */
static void put_row(const struct report_page *p, struct buf *b,
		    unsigned int kind, uint64_t key)
{
	const struct report_table *t = &p->tables->of[kind];

	for (uint32_t i = 0; i < t->count; i++)
		if (t->rows[i].key == key) {
			tables[kind].begin(p, b, &t->rows[i]);
			put_numbers(p, b, &t->rows[i]);
		}
}

static void put_rows(const struct report_page *p, struct buf *b,
		     unsigned int kind)
{
	const struct report_table *t = &p->tables->of[kind];

	if (kind == REPORT_BY_PROCESS)
		for (uint32_t i = 0; i < p->process_count; i++)
			put_row(p, b, kind, p->processes[i]);
	else if (kind == REPORT_BY_DISK)
		for (uint32_t i = 0; i < p->r->disks.there; i++)
			put_row(p, b, kind, p->r->disks.order[i]);
	else
		for (uint32_t i = 0; i < t->count; i++)
			put_row(p, b, kind, t->rows[i].key);
}

/* --- the slowest ---------------------------------------------------------- */

/* each list of the slowest ends with three times */
enum { SLOW_TIMES = 3 };

static void put_slow_heads(const char *id, const char *caption,
			   const char *const times[SLOW_TIMES], struct buf *b)
{
	static const struct {
		const char *name;
		bool number;
	} slow[] = {
		{ "Queued at", true }, { "Operation", false },
		{ "Device", false }, { "Sector", true }, { "Size", true },
		{ "Process", false },
	};

	begin_table(b, id, caption);
	for (size_t i = 0; i < sizeof(slow) / sizeof(slow[0]); i++)
		markup(b, "<th scope=\"col\"%s>%s</th>", slow[i].number ?
		       " class=\"num\"" : "", slow[i].name);
	for (unsigned int i = 0; i < SLOW_TIMES; i++)
		markup(b, "<th scope=\"col\" class=\"num\">%s</th>", times[i]);
	markup(b, "</tr></thead><tbody>\n");
}

/* which began at so many ns, which may be below 0 */
static void put_when(struct buf *b, int64_t time)
{
	uint64_t us = (uint64_t)(time < 0 ? -time : time) / 1000;

	markup(b, "<td class=\"num\">%s%" PRIu64 ".%06u</td>",
	       time < 0 ? "-" : "", us / 1000000,
	       (unsigned int)(us % 1000000));
}

static void put_slow_names(const struct report_page *p, struct buf *b,
			   const struct report_row *row)
{
	const struct report_stream *s = &p->r->folding.list[row->stream];
	char text[PAGE_NAME_MAX];

	markup(b, "<td>%s</td><td>", page_op_name(row->op));
	markup_text(b, page_device(p, page_device_index(p, s->disk), text));
	markup(b, "</td>");
	markup_cell(b, figure_count(row->sector));
	markup_cell(b, figure_size((double)row->blocks * 512));
	markup(b, "<td>");
	page_pid(p, row->pid, text);
	markup_text(b, text);
	markup(b, "</td>");
}

static void put_slow(const struct report_page *p, struct buf *b,
		     const struct report_row *row, unsigned int number)
{
	static const enum report_span spans[] = { REPORT_Q2D, REPORT_D2C,
						  REPORT_Q2C };
	uint64_t ns;

	markup(b, "<tr data-slow=\"%u\">", number);
	put_when(b, (int64_t)row->time);
	put_slow_names(p, b, row);
	for (unsigned int i = 0; i < SLOW_TIMES; i++)
		markup_cell(b, report_row_span(row, spans[i], &ns) ?
			       figure_time((double)ns) : figure_none());
	markup(b, "</tr>\n");
}

/* a span, or what it is at most */
static struct figure figure_most(bool exact, double ns)
{
	struct figure f = figure_time(ns), most = f;

	snprintf(most.value, sizeof(most.value), "%s%.32s",
		 exact ? "" : AT_MOST, f.value);
	return most;
}

/* How long it has waited for the device, been there, and in all; one that may
 * have completed: at most. */
static void put_open(const struct report_page *p, struct buf *b,
		     const struct report_row *row, unsigned int number)
{
	double age = (double)(p->r->length - row->time);
	double waited = row->q2d ? (double)(row->q2d - 1) : age;
	bool sure = report_until(p->r, row) == p->r->length;

	markup(b, "<tr data-open=\"%u\">", number);
	put_when(b, (int64_t)row->time);
	put_slow_names(p, b, row);
	markup_cell(b, row->q2d ? figure_time(waited) :
				  figure_most(sure, age));
	markup_cell(b, row->q2d ? figure_most(sure, age - waited) :
				  figure_none());
	markup_cell(b, figure_most(sure, age));
	markup(b, "</tr>\n");
}

void table_rows_slowest(const struct report_page *p, const char *id,
			const char *caption, struct buf *b)
{
	static const char *const times[SLOW_TIMES] = { "Q2D", "D2C", "Q2C" };
	const struct report_row *row;

	put_slow_heads(id, caption, times, b);
	for (unsigned int i = 0; (row = page_slow(p, i)); i++)
		put_slow(p, b, row, i);
	table_rows_end(b);
}

void table_rows_open(const struct report_page *p, const char *id,
		     const char *caption, struct buf *b)
{
	static const char *const times[SLOW_TIMES] = {
		"Waited", "In the device", "Age",
	};
	const struct report_row *row = page_open(p, 0);

	if (!row)
		return;
	put_slow_heads(id, caption, times, b);
	for (unsigned int i = 0; row; row = page_open(p, ++i))
		put_open(p, b, row, i);
	table_rows_end(b);
}

void table_rows_write(const struct report_page *p, struct buf *b)
{
	table_rows_open(p, "t-open", "In flight at the end", b);
	for (unsigned int kind = REPORT_BY_OP; kind < REPORT_TABLES; kind++) {
		if (kind == REPORT_BY_CGROUP && !p->tables->of[kind].count)
			continue;
		table_rows_begin(kind, "", b);
		put_rows(p, b, kind);
		table_rows_end(b);
	}
	table_rows_slowest(p, "t-slowest", "Slowest requests", b);
}

/* --- about ---------------------------------------------------------------- */

static void put_term(struct buf *b, const char *name, const char *text)
{
	markup(b, "<dt>%s</dt><dd>", name);
	markup_text(b, text);
	markup(b, "</dd>\n");
}

static void put_count(struct buf *b, const char *name, uint64_t n)
{
	char text[FIGURE_TEXT_MAX];

	if (n)
		put_term(b, name, figure_text(text, figure_count(n)));
}

static void put_detail(const struct report_page *p, struct buf *b)
{
	char width[FIGURE_TEXT_MAX], text[2 * FIGURE_TEXT_MAX];

	if (p->blocks->exact) {
		put_term(b, "Detail", "every I/O");
		return;
	}
	figure_text(width, figure_time((double)p->r->width));
	snprintf(text, sizeof(text), "counts in bins of %s", width);
	put_term(b, "Detail", text);
}

/* What cards tell of the machines, and with several how far clocks can be
 * trusted. */
static void put_machines(const struct report_page *p, struct buf *b)
{
	const struct reader *r = p->facts->reader;
	const struct devices *d = reader_devices(r);
	char words[MACHINE_WORDS];

	for (uint32_t i = 0; i < (d->host_count ? d->host_count : 1); i++)
		if (machine_words(words, r, (uint16_t)i))
			put_term(b, "Host", words);
	for (uint32_t i = 0; i < d->count; i++)
		if (machine_words_device(words, r, i))
			put_term(b, "Device", words);
	for (uint32_t i = 0; i < d->host_count; i++) {
		machine_words_clock(words, r, (uint16_t)i);
		put_term(b, "Clock", words);
	}
}

void table_rows_counts(const struct report_page *p, struct buf *b)
{
	put_count(b, "Events", p->facts->records);
	put_count(b, "I/Os", p->r->count - p->r->ghosts);
	put_count(b, "Never completed", p->r->open);
	put_count(b, "Completed but not queued in this trace",
		  p->r->ghosts + p->facts->ghosts);
	put_count(b, "Passthrough commands", p->r->passthrough);
	put_count(b, "Records lost", p->facts->loss.missing);
	put_detail(p, b);
	put_machines(p, b);
	for (size_t i = 0; i < p->damage_count; i++)
		put_term(b, "Damage", p->damage[i]);
}

void table_rows_made(const struct report_page *p, struct buf *b)
{
	put_term(b, "Terms", "Q queued, G got a request, I inserted, D issued"
		 " to the device, C completed; Q2C is the time that the caller"
		 " waits, D2C the time in the device.");
	put_term(b, "Made by", p->program);
	put_term(b, "Command", p->command);
}

void table_rows_write_about(const struct report_page *p, struct buf *b)
{
	markup(b, "<h2>About this page</h2><dl>\n");
	table_rows_counts(p, b);
	table_rows_made(p, b);
	markup(b, "</dl>");
}
