/* SPDX-License-Identifier: GPL-2.0-only */
/* Tables as HTML; see table_rows.h. */
#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/num.h"
#include "emit/machine_words.h"
#include "report/markup.h"
#include "report/page.h"
#include "report/pair.h"
#include "report/table_rows.h"
#include "report/tiles.h"
#include "run/cgroups.h"
#include "run/device.h"
#include "run/reader.h"
#include "stat/facts.h"
#include "stat/group_row.h"

enum { TABLE_ROW_VALUES = 13 };

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

static void values_of(const struct report_page *p,
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

static void put_values(const double values[TABLE_ROW_VALUES], struct buf *b)
{
	for (unsigned int i = 0; i < TABLE_ROW_VALUES; i++)
		markup_cell(b, isnan(values[i]) ? figure_none() :
						  columns[i].figure(values[i]));
}

static void put_numbers(const struct report_page *p, struct buf *b,
			const struct report_table_row *row)
{
	double values[TABLE_ROW_VALUES];

	values_of(p, row, values);
	put_values(values, b);
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

static void put_share(const struct report_page *p,
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
	put_share(p, row, b);
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

static void begin_of_kind(unsigned int kind, const char *head, struct buf *b)
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

/* a start in ns, maybe below 0 */
static void put_when(struct buf *b, int64_t time)
{
	uint64_t us = (uint64_t)(time < 0 ? -time : time) / 1000;
	uint32_t part = (uint32_t)(us % 1000000);
	char text[16] = ".";

	num_three(num_three(text + 1, part / 1000), part % 1000)[0] = '\0';
	markup_plain(b, "<td class=\"num\">");
	markup_plain(b, time < 0 ? "-" : "");
	markup_number(b, us / 1000000);
	markup_plain(b, text);
	markup_plain(b, "</td>");
}

/* the name of a device, as most rows have the one of the row before */
struct device_name {
	bool known;
	uint32_t disk;
	char text[PAGE_NAME_MAX];
};

static const char *name_device(const struct report_page *p,
			       struct device_name *name, uint32_t disk)
{
	if (!name->known || name->disk != disk)
		page_device(p, page_device_index(p, disk), name->text);
	name->known = true;
	name->disk = disk;
	return name->text;
}

static void put_slow_names(const struct report_page *p, struct buf *b,
			   const struct report_row *row,
			   struct device_name *device)
{
	const struct report_stream *s = &p->r->folding.list[row->stream];
	char text[PAGE_NAME_MAX];

	markup_plain(b, "<td>");
	markup_plain(b, page_op_name(row->op));
	markup_plain(b, "</td><td>");
	markup_text(b, name_device(p, device, s->disk));
	markup_plain(b, "</td>");
	markup_cell(b, figure_count(row->sector));
	markup_cell(b, figure_size((double)row->blocks * 512));
	markup_plain(b, "<td>");
	page_pid(p, row->pid, text);
	markup_text(b, text);
	markup_plain(b, "</td>");
}

static void put_slow(const struct report_page *p, struct buf *b,
		     const struct report_row *row, unsigned int number,
		     struct device_name *device)
{
	static const enum report_span spans[] = { REPORT_Q2D, REPORT_D2C,
						  REPORT_Q2C };
	uint64_t ns;

	markup_plain(b, "<tr data-slow=\"");
	markup_number(b, number);
	markup_plain(b, "\">");
	put_when(b, (int64_t)row->time);
	put_slow_names(p, b, row, device);
	for (unsigned int i = 0; i < SLOW_TIMES; i++)
		markup_cell(b, report_row_span(row, spans[i], &ns) ?
			       figure_time((double)ns) : figure_none());
	markup(b, "</tr>\n");
}

/* a span, or its bound */
static struct figure figure_most(bool exact, double ns)
{
	struct figure f = figure_time(ns), most = f;

	if (!exact)
		snprintf(most.value, sizeof(most.value), AT_MOST "%.32s",
			 f.value);
	return most;
}

/* How long it has waited for the device, been there, and in all; one that may
 * have completed: at most. */
static void put_open(const struct report_page *p, struct buf *b,
		     const struct report_row *row, unsigned int number,
		     struct device_name *device)
{
	double age = (double)(p->r->length - row->time);
	double waited = row->q2d ? (double)(row->q2d - 1) : age;
	bool sure = report_until(p->r, row) == p->r->length;

	markup_plain(b, "<tr data-open=\"");
	markup_number(b, number);
	markup_plain(b, "\">");
	put_when(b, (int64_t)row->time);
	put_slow_names(p, b, row, device);
	markup_cell(b, row->q2d ? figure_time(waited) :
				  figure_most(sure, age));
	markup_cell(b, row->q2d ? figure_most(sure, age - waited) :
				  figure_none());
	markup_cell(b, figure_most(sure, age));
	markup(b, "</tr>\n");
}

static void put_slowest(const struct report_page *p, const char *id,
			const char *caption, struct buf *b)
{
	static const char *const times[SLOW_TIMES] = { "Q2D", "D2C", "Q2C" };
	const struct report_row *row;
	struct page_turn turn = { 0 };
	struct device_name device = { .known = false };

	put_slow_heads(id, caption, times, b);
	while ((row = page_next_slow(p, &turn)))
		put_slow(p, b, row, turn.count - 1, &device);
	end_table(b);
}

static void put_all_open(const struct report_page *p, const char *id,
			 const char *caption, struct buf *b)
{
	static const char *const times[SLOW_TIMES] = {
		"Waited", "In the device", "Age",
	};
	const struct report_row *row = page_open(p, 0);
	struct device_name device = { .known = false };

	if (!row)
		return;
	put_slow_heads(id, caption, times, b);
	for (unsigned int i = 0; row; row = page_open(p, ++i))
		put_open(p, b, row, i, &device);
	end_table(b);
}

void table_rows_write(const struct report_page *p, struct buf *b)
{
	put_all_open(p, "t-open", "In flight at the end", b);
	for (unsigned int kind = REPORT_BY_OP; kind < REPORT_TABLES; kind++) {
		if (kind == REPORT_BY_CGROUP && !p->tables->of[kind].count)
			continue;
		begin_of_kind(kind, "", b);
		put_rows(p, b, kind);
		end_table(b);
	}
	put_slowest(p, "t-slowest", "Slowest requests", b);
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

static void put_counts(const struct report_page *p, struct buf *b)
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

static void put_made(const struct report_page *p, struct buf *b)
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
	put_counts(p, b);
	put_made(p, b);
	markup(b, "</dl>");
}

/* --- pair tables ---------------------------------------------------------- */

/* the subject of three rows */
struct subject {
	unsigned int kind;	/* enum report_table_kind */
	const char *data;	/* its name in the script */
	char key[PAGE_NAME_MAX], name[PAGE_NAME_MAX];
	const struct report_table_row *row[COMPARE_SIDES];	/* or NULL */
	bool off[COMPARE_SIDES];	/* a device that does not count */
};

/* --- three rows ----------------------------------------------------------- */

static void begin_row(const struct subject *s, unsigned int side, bool off,
		      struct buf *b)
{
	static const char *const sides[] = { "a", "b", "change" };

	markup(b, "<tr data-%s=\"%s\" data-side=\"%s\" class=\"%s%s\">",
	       s->data, s->key, sides[side], side ? "same" : "first",
	       off ? " off" : "");
	if (!side) {
		markup(b, "<th scope=\"rowgroup\" rowspan=\"3\">");
		markup_text(b, s->name);
		markup(b, "</th>");
	}
	if (side < COMPARE_SIDES)
		markup(b, "<th scope=\"row\" class=\"side-%s\">%s</th>",
		       sides[side], pair_letter(side));
	else
		markup(b, "<th scope=\"row\">B to A</th>");
}

static void put_side(const struct report_pair *pair, const struct subject *s,
		     unsigned int side, double values[TABLE_ROW_VALUES],
		     struct buf *b)
{
	const struct report_table_row *row = s->row[side];

	begin_row(s, side, s->off[side], b);
	if (s->kind == REPORT_BY_PROCESS && row)
		put_share(pair->side[side], row, b);
	else if (s->kind == REPORT_BY_PROCESS)
		markup_cell(b, figure_none());
	for (unsigned int i = 0; i < TABLE_ROW_VALUES; i++)
		values[i] = NAN;
	if (row)
		values_of(pair->side[side], row, values);
	put_values(values, b);
	markup(b, "</tr>\n");
}

static void put_subject(const struct report_pair *pair,
			const struct subject *s, struct buf *b)
{
	double values[COMPARE_SIDES][TABLE_ROW_VALUES];
	char change[PAIR_CHANGE_MAX];

	for (unsigned int side = 0; side < COMPARE_SIDES; side++)
		put_side(pair, s, side, values[side], b);
	begin_row(s, COMPARE_SIDES, false, b);
	if (s->kind == REPORT_BY_PROCESS)
		markup(b, "<td></td>");
	for (unsigned int i = 0; i < TABLE_ROW_VALUES; i++)
		markup(b, "<td class=\"num\">%s</td>",
		       pair_change(change, values[COMPARE_A][i],
				   values[COMPARE_B][i]));
	markup(b, "</tr>\n");
}

/* --- tables --------------------------------------------------------------- */

/* An operation missing on a side is 0 there, unlike a process or device. */
static const struct report_table_row *op_row(const struct report_page *p,
					     unsigned int op)
{
	static const struct report_table_row none = { .key = 0 };
	const struct report_table_row *row = pair_row(p, REPORT_BY_OP, op);

	return row ? row : &none;
}

static void put_operations(const struct report_pair *pair, struct buf *b)
{
	for (unsigned int op = 0; op < REPORT_OPS; op++) {
		struct subject s = { .kind = REPORT_BY_OP, .data = "op" };

		for (unsigned int i = 0; i < COMPARE_SIDES; i++)
			s.row[i] = op_row(pair->side[i], op);
		if (!s.row[COMPARE_A]->sums.count &&
		    !s.row[COMPARE_B]->sums.count)
			continue;
		snprintf(s.key, sizeof(s.key), "%s", page_op_key(op));
		snprintf(s.name, sizeof(s.name), "%s", page_op_name(op));
		*s.name = (char)toupper((unsigned char)*s.name);
		put_subject(pair, &s, b);
	}
}

static void put_processes(const struct report_pair *pair, struct buf *b)
{
	for (uint32_t i = 0; i < pair->processes.count; i++) {
		struct subject s = { .kind = REPORT_BY_PROCESS,
				     .data = "process" };

		snprintf(s.key, sizeof(s.key), "%" PRIu32, i);
		for (unsigned int k = 0; k < COMPARE_SIDES; k++) {
			uint32_t at = pair->processes.list[i][k];
			const struct report_page *p = pair->side[k];

			if (at == PAIR_NONE)
				continue;
			page_process(p, at, s.name);
			s.row[k] = pair_row(p, s.kind, p->processes[at]);
		}
		put_subject(pair, &s, b);
	}
}

static void put_devices(const struct report_pair *pair, struct buf *b)
{
	for (uint32_t i = 0; i < pair->devices.count; i++) {
		struct subject s = { .kind = REPORT_BY_DISK,
				     .data = "device" };

		snprintf(s.key, sizeof(s.key), "%" PRIu32, i);
		for (unsigned int k = 0; k < COMPARE_SIDES; k++) {
			uint32_t at = pair->devices.list[i][k];
			const struct report_page *p = pair->side[k];

			if (at == PAIR_NONE)
				continue;
			page_device(p, at, s.name);
			s.row[k] = pair_row(p, s.kind, p->r->disks.order[at]);
			s.off[k] = !p->r->disks.list[p->r->disks.order[at]].on;
		}
		put_subject(pair, &s, b);
	}
}

/* a cgroup's key on the other side, or UINT64_MAX, which is no key */
static uint64_t key_there(const struct report_pair *pair, unsigned int side,
			  uint64_t key)
{
	const char *path = page_cgroup_path(pair->side[side], key);
	const struct cgroups *there = pair->side[!side]->r->o.cgroups;
	int64_t number = path && there ? cgroups_find_path(there, path) : -1;

	if (!path)
		return key;
	return number < 0 ? UINT64_MAX : GROUP_NAMED | (uint64_t)number;
}

/* those of a side that were not put with the other's */
static void put_cgroups_of(const struct report_pair *pair, unsigned int side,
			   struct buf *b)
{
	const struct report_table *t =
		&pair->side[side]->tables->of[REPORT_BY_CGROUP];

	for (uint32_t i = 0; i < t->count; i++) {
		struct subject s = { .kind = REPORT_BY_CGROUP,
				     .data = "cgroup" };

		s.row[side] = &t->rows[i];
		s.row[!side] = pair_row(pair->side[!side], s.kind,
					key_there(pair, side,
						  t->rows[i].key));
		if (side == COMPARE_B && s.row[COMPARE_A])
			continue;
		/* numbers of paths are a side's own */
		snprintf(s.key, sizeof(s.key), "%s%" PRIu64,
			 side == COMPARE_B &&
			 group_key_cgroup(t->rows[i].key) >= 0 ? "b" : "",
			 t->rows[i].key);
		page_cgroup(pair->side[side], t->rows[i].key, s.name);
		put_subject(pair, &s, b);
	}
}

static void put_cgroups(const struct report_pair *pair, struct buf *b)
{
	put_cgroups_of(pair, COMPARE_A, b);
	put_cgroups_of(pair, COMPARE_B, b);
}

static const struct {
	enum report_table_kind kind;
	void (*put)(const struct report_pair *pair, struct buf *b);
} pair_tables[] = {
	{ REPORT_BY_OP, put_operations },
	{ REPORT_BY_PROCESS, put_processes },
	{ REPORT_BY_DISK, put_devices },
	{ REPORT_BY_CGROUP, put_cgroups },
};

/* Only the table by cgroup may be left out. */
static bool is_there(const struct report_pair *pair, unsigned int kind)
{
	return kind != REPORT_BY_CGROUP ||
	       pair->side[COMPARE_A]->tables->of[kind].count ||
	       pair->side[COMPARE_B]->tables->of[kind].count;
}

void table_rows_write_pair(const struct report_pair *pair, struct buf *b)
{
	put_all_open(pair->side[COMPARE_A], "t-open-a",
			"In flight at the end of A", b);
	put_all_open(pair->side[COMPARE_B], "t-open-b",
			"In flight at the end of B", b);
	for (size_t i = 0; i < sizeof(pair_tables) / sizeof(pair_tables[0]);
	     i++) {
		if (!is_there(pair, pair_tables[i].kind))
			continue;
		begin_of_kind(pair_tables[i].kind,
				 "<th scope=\"col\">Run</th>", b);
		pair_tables[i].put(pair, b);
		end_table(b);
	}
	put_slowest(pair->side[COMPARE_A], "t-slowest-a",
			   "Slowest requests of A", b);
	put_slowest(pair->side[COMPARE_B], "t-slowest-b",
			   "Slowest requests of B", b);
}

void table_rows_write_pair_about(const struct report_pair *pair, struct buf *b)
{
	for (unsigned int side = 0; side < COMPARE_SIDES; side++) {
		markup(b, "<h2>About %s</h2><dl>\n<dt>Trace</dt><dd>",
		       pair_letter(side));
		markup_text(b, pair->name[side]);
		markup(b, "</dd>\n");
		put_counts(pair->side[side], b);
		markup(b, "</dl>\n");
	}
	markup(b, "<h2>About this page</h2><dl>\n");
	put_made(pair->side[COMPARE_A], b);
	markup(b, "</dl>");
}
