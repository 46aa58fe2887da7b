/* SPDX-License-Identifier: GPL-2.0-only */
/* Tables as HTML; see table_rows.h. */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>

#include "analysis/facts.h"
#include "base/buf.h"
#include "emit/report/markup.h"
#include "emit/report/page.h"
#include "emit/report/table_rows.h"

/* --- a row's numbers ------------------------------------------------------ */

static const char *const heads[] = {
	"I/Os", "/s", "Data", "/s", "Mean size", "Q2C p50", "p90", "p99",
	"p99.9", "max", "D2C p50", "p99", "max",
};

static struct figure a_second(struct figure f)
{
	size_t len = 0;

	while (f.unit[len])
		len++;
	snprintf(f.unit + len, sizeof(f.unit) - len, "/s");
	return f;
}

static void put_amounts(const struct report_page *p, struct buf *b,
			const struct report_sums *s)
{
	double each = p->r->length ? 1e9 / (double)p->r->length : 0;
	double bytes = (double)s->blocks * 512;

	markup_cell(b, figure_count(s->count));
	markup_cell(b, figure_decimal((double)s->count * each));
	markup_cell(b, figure_size(bytes));
	markup_cell(b, a_second(figure_size(bytes * each)));
	markup_cell(b, s->count ? figure_size(bytes / (double)s->count) :
				  figure_none());
}

static void put_span(struct buf *b, const struct report_table_row *row,
		     enum report_span span, const unsigned int *which,
		     unsigned int count)
{
	const struct histogram *h = &row->sums.spans[span];

	for (unsigned int i = 0; i < count; i++)
		markup_cell(b, h->count ? figure_time((double)
			row->percentiles[span][which[i]]) : figure_none());
	markup_cell(b, h->count ? figure_time((double)h->max) :
				  figure_none());
}

static void put_numbers(const struct report_page *p, struct buf *b,
			const struct report_table_row *row)
{
	static const unsigned int all[] = { 0, 1, 2, 3 }, some[] = { 0, 2 };

	put_amounts(p, b, &row->sums);
	put_span(b, row, REPORT_Q2C, all, 4);
	put_span(b, row, REPORT_D2C, some, 2);
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

static void begin_process(const struct report_page *p, struct buf *b,
			  const struct report_table_row *row)
{
	double all = (double)p->tables->of[REPORT_ALL].rows[0].sums.blocks;
	double part = (double)row->sums.blocks;
	uint32_t index = page_process_index(p, (uint32_t)row->key);
	char text[PAGE_NAME_MAX], share[FIGURE_TEXT_MAX];

	markup(b, "<tr data-process=\"%u\"><th scope=\"row\">", index);
	markup_text(b, page_process(p, index, text));
	figure_text(share, figure_share(part, all));
	markup(b, "</th><td class=\"num share\" style=\"--part:%.1f%%\">",
	       all > 0 ? 100 * part / all : 0);
	markup_text(b, share);
	markup(b, "</td>");
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
	(void)p;
	markup(b, "<tr><th scope=\"row\">%" PRIu64 "</th>", row->key);
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

static void put_heads(struct buf *b, unsigned int kind)
{
	begin_table(b, tables[kind].id, tables[kind].caption);
	markup(b, "<th scope=\"col\">%s</th>", tables[kind].head);
	if (tables[kind].shares)
		markup(b, "<th scope=\"col\" class=\"num\">Share</th>");
	for (size_t i = 0; i < sizeof(heads) / sizeof(heads[0]); i++)
		markup(b, "<th scope=\"col\" class=\"num\">%s</th>", heads[i]);
	markup(b, "</tr></thead><tbody>\n");
}

static void end_table(struct buf *b)
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

static void put_slow_heads(struct buf *b)
{
	static const struct {
		const char *name;
		bool number;
	} columns[] = {
		{ "Queued at", true }, { "Operation", false },
		{ "Device", false }, { "Sector", true }, { "Size", true },
		{ "Process", false }, { "Q2D", true }, { "D2C", true },
		{ "Q2C", true },
	};

	begin_table(b, "t-slowest", "Slowest requests");
	for (size_t i = 0; i < sizeof(columns) / sizeof(columns[0]); i++)
		markup(b, "<th scope=\"col\"%s>%s</th>", columns[i].number ?
		       " class=\"num\"" : "", columns[i].name);
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
	page_person(p, row->person, text);
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
	for (unsigned int i = 0; i < 3; i++)
		markup_cell(b, report_row_span(row, spans[i], &ns) ?
			       figure_time((double)ns) : figure_none());
	markup(b, "</tr>\n");
}

void table_rows_write(const struct report_page *p, struct buf *b)
{
	const struct report_row *row;

	for (unsigned int kind = REPORT_BY_OP; kind < REPORT_TABLES; kind++) {
		if (kind == REPORT_BY_CGROUP && !p->tables->of[kind].count)
			continue;
		put_heads(b, kind);
		put_rows(p, b, kind);
		end_table(b);
	}
	put_slow_heads(b);
	for (unsigned int i = 0; (row = page_slow(p, i)); i++)
		put_slow(p, b, row, i);
	end_table(b);
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

void table_rows_write_about(const struct report_page *p, struct buf *b)
{
	markup(b, "<h2>About this page</h2><dl>\n");
	put_count(b, "Events", p->facts->records);
	put_count(b, "I/Os", p->r->count - p->r->ghosts);
	put_count(b, "Never completed", p->r->open);
	put_count(b, "Completed, not queued in this trace",
		  p->r->ghosts + p->facts->ghosts);
	put_count(b, "Passthrough commands", p->r->passthrough);
	put_count(b, "Records lost", p->facts->loss.missing);
	put_detail(p, b);
	for (size_t i = 0; i < p->damage_count; i++)
		put_term(b, "Damage", p->damage[i]);
	put_term(b, "Terms", "Q queued, G got a request, I inserted, D issued"
		 " to the device, C completed; Q2C is what the caller waits"
		 " for, D2C what the device takes.");
	put_term(b, "Made by", p->program);
	put_term(b, "Command", p->command);
	markup(b, "</dl>");
}
