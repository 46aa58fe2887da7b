/* SPDX-License-Identifier: GPL-2.0-only */
/* Percentiles by keys; see screen.h. */
#include <stdio.h>

#include "base/buf.h"
#include "base/look.h"
#include "base/unit.h"
#include "emit/cells.h"
#include "run/marks.h"
#include "stat/bounds.h"
#include "tools/btstat/options.h"
#include "tools/btstat/screen.h"
#include "tools/btstat/tally.h"

static const struct percentile_list usual = { { 50000, 99000 }, 2 };

static const struct percentile_list *percentiles(const struct screen *s)
{
	return s->o->percentiles.count ? &s->o->percentiles : &usual;
}

/* --- the keys ------------------------------------------------------------- */

static void add_key_columns(const struct screen *s, struct table *t)
{
	const struct group_options *g = &s->tally->group_options;

	for (unsigned int i = 0; i < g->key_count; i++)
		table_column(t, (struct table_column){
			value_heading(g->keys[i]), g->key_count == 1 ? 14 : 6,
			!value_is_number(&s->values, g->keys[i]), 0 });
}

static void put_keys(const struct screen *s, struct table *t,
		     const struct group_row *row)
{
	const struct group_options *g = &s->tally->group_options;
	char text[VALUE_MAX];

	for (unsigned int i = 0; i < g->key_count; i++) {
		if (row->other)
			snprintf(text, sizeof(text), "%s", i ? "" : "(other)");
		else
			value_text(&s->values, g->keys[i], row->keys[i], text);
		table_cell(t, text);
	}
}

/* --- a table by keys ------------------------------------------------------ */

static void add_columns(const struct screen *s, struct table *t,
			char texts[][16])
{
	const struct percentile_list *p = percentiles(s);

	add_key_columns(s, t);
	table_column(t, (struct table_column){
		s->o->per_request ? "reqs" : "I/Os", 6, false, 0 });
	table_column(t, (struct table_column){ "IO/s", 7, false, 4 });
	table_column(t, (struct table_column){ "MiB/s", 7, false, 5 });
	table_column(t, (struct table_column){ "size", 6, false, 6 });
	table_column(t, (struct table_column){ "errs", 5, false, 7 });
	cell_statistic_columns(t, STATISTIC_KEYS, STATISTIC_BEFORE, 7);
	for (unsigned int i = 0; i < p->count; i++)
		table_column(t, (struct table_column){
			cell_percentile_name(p->list[i], texts[i]), 7, false,
			3 });
	cell_statistic_columns(t, STATISTIC_KEYS, STATISTIC_AFTER, 7);
	table_column(t, (struct table_column){ "time", 5, false, 1 });
}

static struct wide all_time(const struct screen *s)
{
	struct wide sum = { 0, 0 };

	for (unsigned int i = 0; i < s->row_count; i++)
		wide_join(&sum, s->rows[i]->time);
	return sum;
}

/* Q2C; of I/Os that never have a Q, the time seen */
static const struct histogram *total_time(const struct screen *s,
					  const struct group_row *row)
{
	const struct group *g = s->tally->group;
	const struct histogram *h = group_histogram(g, row, MEASURE_Q2C);

	return h->count ? h : group_histogram(g, row, MEASURE_TOTAL);
}

/* the part of the interval at that time within the trace, ns */
static uint64_t interval_length(const struct screen *s, uint64_t at)
{
	const struct facts *f = s->facts;
	uint64_t from = at > f->from ? at : f->from;
	uint64_t end = at + s->tally->group_options.interval;

	if (end > f->from + f->length)
		end = f->from + f->length;
	return end > from ? end - from : 0;
}

/* the time after a number of marks, to the next one, ns */
static uint64_t mark_length(const struct screen *s, uint64_t marks)
{
	const struct marks *m = reader_marks(s->facts->reader);
	uint64_t from = s->facts->from, end = from + s->facts->length;

	if (marks && m->list[marks - 1].time > from)
		from = m->list[marks - 1].time;
	if (marks < m->count && m->list[marks].time < end)
		end = m->list[marks].time;
	return end > from ? end - from : 0;
}

/* the time that a row covers, ns */
static uint64_t row_length(const struct screen *s, const struct group_row *row)
{
	const struct group_options *g = &s->tally->group_options;

	for (unsigned int i = 0; i < g->key_count && !row->other; i++) {
		if (g->keys[i] == GROUP_INTERVAL)
			return interval_length(s, row->keys[i]);
		if (g->keys[i] == GROUP_MARK)
			return mark_length(s, row->keys[i]);
	}
	return s->facts->length;
}

static void put_row(const struct screen *s, struct table *t,
		    const struct group_row *row, struct wide all)
{
	const struct histogram *h = total_time(s, row);
	const struct percentile_list *p = percentiles(s);
	uint64_t ns = row_length(s, row), values[STATISTICS];

	statistics_of(h, values);
	put_keys(s, t, row);
	cell_count(t, row->count);
	cell_rate(t, row->count, ns);
	cell_mib(t, row->bytes, ns);
	cell_mean_size(t, row->bytes, row->sized);
	cell_count(t, row->errors);
	cell_statistics(t, STATISTIC_BEFORE, values);
	for (unsigned int i = 0; i < p->count; i++)
		cell_percentile(t, h, p->list[i]);
	cell_statistics(t, STATISTIC_AFTER, values);
	cell_share_of(t, row->time, all);
}

int screen_keys(const struct screen *s)
{
	struct table t = { .text = NULL };
	char texts[PERCENTILES_MAX][16];
	struct wide all = all_time(s);
	int err;

	add_columns(s, &t, texts);
	for (unsigned int i = 0; i < s->row_count; i++)
		if (s->rows[i]->count)
			put_row(s, &t, s->rows[i], all);
	err = table_print(&t, s->b, s->look->width, true);
	table_free(&t);
	return err;
}

/* --- --under -------------------------------------------------------------- */

static void put_under(const struct screen *s, struct table *t,
		      const struct group_row *row)
{
	put_keys(s, t, row);
	cell_count(t, row->measured);
	for (unsigned int i = 0; i < s->o->under.count; i++) {
		char text[UNIT_MAX];

		unit_share_exact(text, row->under[i], row->measured, 2);
		table_cell(t, text);
	}
}

int screen_under(const struct screen *s)
{
	struct table t = { .text = NULL };
	char texts[GROUP_UNDER_MAX][UNIT_MAX + 8];
	int err;

	add_key_columns(s, &t);
	table_column(&t, (struct table_column){ "measured", 8, false, 0 });
	for (unsigned int i = 0; i < s->o->under.count; i++) {
		char time[UNIT_MAX];

		unit_step(time, s->o->under.list[i]);
		snprintf(texts[i], sizeof(texts[i]), "< %s", time);
		table_column(&t, (struct table_column){ texts[i], 8, false,
							1 });
	}
	for (unsigned int i = 0; i < s->row_count; i++)
		if (s->rows[i]->measured)
			put_under(s, &t, s->rows[i]);
	buf_append(s->b, "\n", 1);
	err = table_print(&t, s->b, s->look->width, true);
	table_free(&t);
	return err;
}
