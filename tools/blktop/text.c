/* SPDX-License-Identifier: GPL-2.0-only */
/* A sample as text; see text.h. */
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/escape.h"
#include "base/look.h"
#include "base/time.h"
#include "base/unit.h"
#include "emit/cells.h"
#include "emit/signs.h"
#include "emit/table.h"
#include "emit/values.h"
#include "request/io.h"
#include "tools/blktop/text.h"

enum {
	LINE = 1024,
	PART = 64,		/* of a line */
	NARROW = 60,		/* below this width, lines have fewer parts */
	WIDE = 110,		/* from this width on, rows have more columns */
	NAME = 24,		/* and names as much room as this, or more */
	BEFORE = 78,		/* columns between a name and a distribution */
	STRETCH_MOST = 32,	/* columns of a distribution's cell */
	CELL_BYTES = 3,		/* of a sign in UTF-8 */
	DECADE = 6,		/* cells of a decade */
};

void text_set_title(struct text *t, const char *const *names, int count,
		    const char *state)
{
	size_t len = 0;

	for (int i = 0; i < count && len < sizeof(t->title) - 2; i++) {
		if (i)
			t->title[len++] = ' ';
		len += escape_text(t->title + len, sizeof(t->title) - len,
				   names[i], strlen(names[i]));
	}
	if (len < sizeof(t->title) - 1)
		snprintf(t->title + len, sizeof(t->title) - len, " (%s)",
			 state);
}

/* --- the head ------------------------------------------------------------- */

/* left and right on a line; left is cut if needed */
static void put_line(const struct text *t, struct buf *b, const char *left,
		     const char *right)
{
	unsigned int width = t->look->width, end = signs_width(right), at;

	if (end + 2 > width)
		end = 0;
	at = signs_append(b, left, end ? width - end - 2 : width);
	if (end) {
		signs_repeat(b, " ", width - end - at);
		signs_append(b, right, end);
	}
	buf_append(b, "\n", 1);
}

/* seconds to the ms, or finer if the interval is no multiple of 1 ms */
static void moment(char text[32], uint64_t ns, uint64_t interval)
{
	unsigned long long s = ns / NS_PER_SECOND, part = ns % NS_PER_SECOND;

	if (interval % NS_PER_MS)
		snprintf(text, 32, "%llu.%06llu", s, part / NS_PER_US);
	else
		snprintf(text, 32, "%llu.%03llu", s, part / NS_PER_MS);
}

/* Parts of a line, with two blanks between: one that has no room is left out. */
struct parts {
	char text[LINE];
	unsigned int width, most;	/* columns used, and that there are */
};

static bool add_part(struct parts *p, const char *part)
{
	unsigned int gap = p->width ? 2 : 0, width = signs_width(part);
	size_t len = strlen(p->text);

	if (p->width + gap + width > p->most)
		return false;
	p->width += gap + width;
	snprintf(p->text + len, sizeof(p->text) - len, "%*s%s", (int)gap, "",
		 part);
	return true;
}

/* the shortest of times that says when, if the others have no room */
static void add_moment(struct parts *p, const struct text *t,
		       const struct sample *s)
{
	char from[32], to[32], total[32], part[3 * 32 + 16];

	moment(from, s->depth.from, t->interval);
	moment(to, s->depth.to, t->interval);
	moment(total, t->total, t->interval);
	snprintf(part, sizeof(part), "%s to %s of %s s", from, to, total);
	if (t->total && add_part(p, part))
		return;
	snprintf(part, sizeof(part), "%s to %s s", from, to);
	if (add_part(p, part))
		return;
	snprintf(part, sizeof(part), "%s s", to);
	add_part(p, part);
}

static void put_title(const struct text *t, struct buf *b,
		      const struct sample *s)
{
	struct parts p = { .width = 0 };
	char title[sizeof(t->title) + 8], right[64];

	snprintf(right, sizeof(right), "lost %llu%s",
		 (unsigned long long)s->lost, s->newly_lost ? "!" : "");
	p.most = t->look->width - 2 - signs_width(right);
	snprintf(title, sizeof(title), "%s%s",
		 t->look->width < NARROW ? "" : "blktop  ", t->title);
	if (!add_part(&p, title))
		snprintf(p.text, sizeof(p.text), "%s", title);
	else
		add_moment(&p, t, s);
	put_line(t, b, p.text, right);
}

/* "read 1.05k/s 13.4 MiB/s"; brief: without bytes */
static void sum_text(char to[PART], const char *name,
		     const struct sample_sum *sum, uint64_t ns, bool brief)
{
	char ios[UNIT_MAX], mib[UNIT_MAX];

	unit_rate(ios, sum->ios, ns);
	unit_rate_mib(mib, sum->bytes, ns);
	snprintf(to, PART, brief ? "%s %s/s" : "%s %s/s %s MiB/s", name, ios,
		 mib);
}

/* whether both have room */
static bool add_sums(struct parts *p, const struct sample *s, bool brief)
{
	uint64_t ns = s->depth.to - s->depth.from;
	char reads[PART], writes[PART];

	sum_text(reads, "read", &s->read, ns, brief);
	sum_text(writes, "write", &s->write, ns, brief);
	return add_part(p, reads) && add_part(p, writes);
}

static void put_sums(const struct text *t, struct buf *b,
		     const struct sample *s)
{
	char right[64] = "own -";
	struct parts empty = { .width = 0 }, p;

	if (t->own >= 0)
		snprintf(right, sizeof(right), "own %.1f%%",
			 (double)t->own / 100);
	empty.most = t->look->width - 2 - signs_width(right);
	p = empty;
	if (!add_sums(&p, s, false)) {
		p = empty;
		add_sums(&p, s, true);
	}
	put_line(t, b, p.text, right);
}

/* "flush 12.0/s 8.40ms", with their mean time if it has room */
static void add_flushes(struct parts *p, const struct sample *s)
{
	const struct sample_flush *f = sample_flush(s);
	char part[PART], rate[UNIT_MAX], mean[UNIT_MAX];

	unit_rate(rate, f->count, s->depth.to - s->depth.from);
	if (f->measured) {
		unit_time(mean, f->time / f->measured);
		snprintf(part, sizeof(part), "flush %s/s %s", rate, mean);
		if (add_part(p, part))
			return;
	}
	snprintf(part, sizeof(part), "flush %s/s", rate);
	add_part(p, part);
}

/* what a line of reads and writes has no room for */
static void put_others(const struct text *t, struct buf *b,
		       const struct sample *s)
{
	uint64_t ns = s->depth.to - s->depth.from;
	struct parts p = { .most = t->look->width };
	char part[PART], depth[UNIT_MAX];

	unit_ratio(depth, s->depth.integral, ns);
	snprintf(part, sizeof(part), "%sdepth %s%s, most %u",
		 t->look->width < NARROW ? "" : "queue ",
		 s->depth.exact ? "" : ">=", depth, s->depth.most);
	add_part(&p, part);
	add_flushes(&p, s);
	sum_text(part, "other", &s->rest, ns, true);
	if (s->rest.ios)
		add_part(&p, part);
	put_line(t, b, p.text, "");
}

static const char *const orders[SAMPLE_ORDERS] = {
	[SAMPLE_BY_TIME] = "most time first",
	[SAMPLE_BY_IOS] = "most IO/s first",
	[SAMPLE_BY_BYTES] = "most bytes first",
	[SAMPLE_BY_P99] = "highest p99 first",
	[SAMPLE_BY_ERRORS] = "most errors first",
};

static void upper(char *to, const char *from, size_t size)
{
	size_t i;

	for (i = 0; from[i] && i < size - 1; i++)
		to[i] = (char)toupper((unsigned char)from[i]);
	to[i] = '\0';
}

/* What is shown, and of what: a filter is cut, but never left out. */
static void put_choice(const struct text *t, struct buf *b)
{
	struct parts p = { .most = t->look->width };
	char part[LINE / 2], right[64], key[32], where[LINE / 2 - 8] = "all";
	char step[UNIT_MAX];

	upper(key, value_heading(t->by), sizeof(key));
	if (t->where)
		escape_text(where, sizeof(where), t->where, strlen(t->where));
	unit_step(step, t->interval);
	snprintf(right, sizeof(right), "every %s", step);
	p.most -= 2 + signs_width(right);
	snprintf(part, sizeof(part), "by %s, %s", key, orders[t->sort]);
	if (!t->where || t->look->width >= NARROW)
		add_part(&p, part);
	snprintf(part, sizeof(part), "where: %s", where);
	if (!add_part(&p, part) && t->where)
		snprintf(p.text + strlen(p.text),
			 sizeof(p.text) - strlen(p.text), "%s%s",
			 p.width ? "  " : "", part);
	put_line(t, b, p.text, right);
}

void text_head(const struct text *t, struct buf *b, const struct sample *s,
	       const struct late *late)
{
	put_title(t, b, s);
	put_sums(t, b, s);
	put_others(t, b, s);
	oldest_text(late, b, t->look->width);
	put_choice(t, b);
}

/* --- distribution --------------------------------------------------------- */

static bool is_wide(const struct text *t)
{
	return t->look->width >= WIDE;
}

/* the sum of the cells that a sign shows */
static uint64_t amount(const struct sample_times *times, unsigned int sign,
		       unsigned int each)
{
	uint64_t sum = 0;

	for (unsigned int i = 0; i < each; i++)
		sum += times->cells[sign * each + i];
	return sum;
}

/* 0 for 0, 1 to SIGNS_LEVELS for others */
static unsigned int level(uint64_t n, uint64_t most)
{
	return n ? 1 + (unsigned int)(n * (SIGNS_LEVELS - 1) / most) : 0;
}

static void put_distribution(const struct text *t, struct table *table,
			     const struct sample_times *times,
			     unsigned int stretch)
{
	unsigned int each = is_wide(t) ? 1 : DECADE, end = SAMPLE_CELLS / each;
	char text[SAMPLE_CELLS * STRETCH_MOST * CELL_BYTES + 1];
	uint64_t most = 1;
	size_t len = 0;

	for (unsigned int i = 0; i < end; i++)
		if (amount(times, i, each) > most)
			most = amount(times, i, each);
	while (end && !amount(times, end - 1, each))
		end--;
	for (unsigned int i = 0; i < end * stretch; i++) {
		uint64_t n = amount(times, i / stretch, each);
		const char *sign = signs_level(t->look->utf8, level(n, most));

		memcpy(text + len, sign, strlen(sign));
		len += strlen(sign);
	}
	text[len] = '\0';
	table_cell(table, text);
}

/* --- table ---------------------------------------------------------------- */

/* the decades of a distribution */
static void put_scale(char *to, size_t size, bool wide, unsigned int stretch)
{
	static const char *const decades[] = {
		"10us", "100us", "1ms", "10ms", "100ms",
	};
	size_t len = 0;

	snprintf(to, size, "10us...1s");
	for (size_t i = 0; wide && i < sizeof(decades) / sizeof(*decades); i++)
		len += (size_t)snprintf(to + len, size - len, "%-*s",
					(int)(DECADE * stretch), decades[i]);
}

static void add_columns(const struct text *t, struct table *table,
			const char *key, const char *scale)
{
	static const struct table_column columns[] = {
		{ "IO/s", 7, false, 4 }, { "MiB/s", 6, false, 5 },
		{ "size", 6, false, 6 }, { "errs", 4, false, 3 },
		{ "time", 5, false, 2 },
	}, times[] = {
		{ "p50", 6, false, 7 }, { "p99", 6, false, 1 },
	};

	table_column(table, (struct table_column){
		key, is_wide(t) ? NAME : 14, true, 0 });
	for (size_t i = 0; i < sizeof(columns) / sizeof(*columns); i++)
		table_column(table, columns[i]);
	if (is_wide(t))
		cell_statistic_columns(table, STATISTIC_TOP, STATISTIC_BEFORE,
				       6);
	for (size_t i = 0; i < sizeof(times) / sizeof(*times); i++)
		table_column(table, times[i]);
	cell_statistic_columns(table, STATISTIC_TOP, STATISTIC_AFTER, 6);
	table_column(table, (struct table_column){ scale, 0, true, 10 });
}

static void put_span(struct table *table, uint64_t ns)
{
	if (ns == IO_NONE)
		table_cell(table, "-");
	else
		cell_time(table, ns);
}

static void put_row(const struct text *t, struct table *table,
		    const struct sample *s, const char *name,
		    const struct sample_row *row, uint64_t all,
		    unsigned int stretch)
{
	uint64_t ns = s->depth.to - s->depth.from;

	table_cell(table, name);
	cell_rate(table, row->ios, ns);
	cell_mib(table, row->bytes, ns);
	cell_mean_size(table, row->bytes, row->sized);
	cell_count(table, row->errors);
	cell_share(table, row->times.sum, all);
	if (is_wide(t))
		cell_statistics(table, STATISTIC_BEFORE, row->times.values);
	put_span(table, row->times.p50);
	put_span(table, row->times.p99);
	cell_statistics(table, STATISTIC_AFTER, row->times.values);
	put_distribution(t, table, &row->times, stretch);
}

static uint64_t all_time(const struct sample_table *table)
{
	uint64_t sum = 0;

	for (unsigned int i = 0; i < table->count; i++)
		if (__builtin_add_overflow(sum, table->rows[i].times.sum,
					   &sum))
			return UINT64_MAX;
	return sum;
}

/* columns of a distribution's cell, after all others have theirs */
static unsigned int stretch_of(const struct text *t,
			       const struct sample_table *table,
			       unsigned int first, unsigned int end)
{
	unsigned int name = NAME, most;

	for (unsigned int i = first; i < end; i++) {
		unsigned int n = signs_width(sample_name(table,
							 &table->rows[i]));

		name = n > name ? n : name;
	}
	most = t->look->width < name + BEFORE ? 0 :
	       (t->look->width - name - BEFORE) / SAMPLE_CELLS;
	return !is_wide(t) || !most ? 1 :
	       most < STRETCH_MOST ? most : STRETCH_MOST;
}

int text_table(const struct text *t, struct buf *b, const struct sample *s,
	       const struct sample_table *table, unsigned int first,
	       unsigned int rows)
{
	struct table lines = { .text = NULL };
	uint64_t all = table ? all_time(table) : 0;
	unsigned int end = table ? table->count : 0, stretch;
	char key[32], scale[SAMPLE_CELLS * STRETCH_MOST + 1];
	int err;

	if (end > first && end - first > rows)
		end = first + rows;
	stretch = stretch_of(t, table, first, end);
	upper(key, value_heading(t->by), sizeof(key));
	put_scale(scale, sizeof(scale), is_wide(t), stretch);
	add_columns(t, &lines, key, scale);
	for (unsigned int i = first; i < end; i++)
		put_row(t, &lines, s, sample_name(table, &table->rows[i]),
			&table->rows[i], all, stretch);
	err = table_print(&lines, b, t->look->width, true);
	table_free(&lines);
	return err;
}
