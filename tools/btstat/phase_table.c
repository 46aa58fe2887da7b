/* SPDX-License-Identifier: GPL-2.0-only */
/* The table of phases; see screen.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/buf.h"
#include "base/escape.h"
#include "base/look.h"
#include "base/time.h"
#include "emit/cells.h"
#include "emit/heat_text.h"
#include "emit/series_text.h"
#include "stat/bounds.h"
#include "stat/group_op.h"
#include "stat/heat.h"
#include "stat/measure.h"
#include "stat/scale.h"
#include "tools/btstat/options.h"
#include "tools/btstat/screen.h"
#include "tools/btstat/tally.h"

/* --- phase table ---------------------------------------------------------- */

static const char *const names[MEASURES] = {
	[MEASURE_Q2C] = "Q2C in all",
	[MEASURE_G2C] = "G2C await",
	[MEASURE_TOTAL] = "all of it seen",
	[MEASURE_Q2D] = "Q2D till issued",
	[IO_Q2A] = "Q2A till remap",
	[IO_LOWER] = "devices below",
	[IO_A2C] = "A2C after them",
	[IO_Q2X] = "Q2X till split",
	[IO_X2C] = "X2C its parts",
	[IO_Q2G] = "Q2G get request",
	[IO_Q2M] = "Q2M till merged",
	[IO_PREFLUSH] = "flush before",
	[IO_G2M] = "G2M till merged",
	[IO_G2I] = "G2I plugged",
	[IO_G2D] = "G2D till issued",
	[IO_I2D] = "I2D scheduler",
	[IO_M2D] = "M2D merged",
	[IO_REQUEUE] = "requeued",
	[IO_D2C] = "D2C device",
	[IO_POSTFLUSH] = "flush after",
	[IO_REST] = "not seen",
};

const char *phase_table_name(unsigned int measure)
{
	return names[measure];
}

const unsigned int phase_table_order[MEASURES] = {
	MEASURE_Q2C, MEASURE_TOTAL, MEASURE_G2C, MEASURE_Q2D, IO_Q2A, IO_LOWER, IO_A2C,
	IO_Q2X, IO_X2C, IO_Q2G, IO_Q2M, IO_PREFLUSH, IO_G2M, IO_G2I, IO_G2D,
	IO_I2D, IO_M2D, IO_REQUEUE, IO_D2C, IO_POSTFLUSH, IO_REST,
};

static const struct percentile_list usual = { { 50000, 90000, 99000, 99900 },
					      4 };

void phase_table_init(struct phase_table *t, const char *heading,
		      const struct percentile_list *percentiles)
{
	*t = (struct phase_table){
		.percentiles = percentiles->count ? *percentiles : usual,
	};
	table_column(&t->table, (struct table_column){ heading, 17, true, 0 });
	table_column(&t->table, (struct table_column){ "count", 7, false, 5 });
	cell_statistic_columns(&t->table, STATISTIC_PHASES, STATISTIC_BEFORE,
			       7);
	for (unsigned int i = 0; i < t->percentiles.count; i++) {
		cell_percentile_name(t->percentiles.list[i], t->names[i]);
		table_column(&t->table, (struct table_column){
			t->names[i], 7, false, 2 });
	}
	cell_statistic_columns(&t->table, STATISTIC_PHASES, STATISTIC_AFTER,
			       7);
	table_column(&t->table, (struct table_column){ "time", 5, false, 3 });
}

void phase_table_row(struct phase_table *t, unsigned int measure,
		     const struct histogram *h, struct wide time)
{
	uint64_t values[STATISTICS];
	char name[32];

	statistics_of(h, values);
	snprintf(name, sizeof(name), "  %s", names[measure]);
	table_cell(&t->table, name);
	cell_count(&t->table, h->count);
	cell_statistics(&t->table, STATISTIC_BEFORE, values);
	for (unsigned int i = 0; i < t->percentiles.count; i++)
		cell_percentile(&t->table, h, t->percentiles.list[i]);
	cell_statistics(&t->table, STATISTIC_AFTER, values);
	cell_share_of(&t->table, h->sum, time);
}

/* --- bounds --------------------------------------------------------------- */

static void put_lows(struct table *t, enum statistic_side side,
		     const struct histogram *h, struct doubt d)
{
	for (unsigned int s = 0; s < STATISTICS; s++) {
		const struct statistic_row *row = statistic_row(s);

		if (row->side != side)
			continue;
		if (row->low)
			cell_time(t, row->low(h, d));
		else
			table_cell(t, "?");
	}
}

static void put_least(struct phase_table *t, const struct histogram *h,
		      struct doubt d)
{
	table_cell(&t->table, "    at least");
	table_cell(&t->table, "");
	put_lows(&t->table, STATISTIC_BEFORE, h, d);
	for (unsigned int i = 0; i < t->percentiles.count; i++) {
		uint64_t low = bounds_percentile(h, d,
						 t->percentiles.list[i]).low;

		if (low)
			cell_time(&t->table, low);
		else
			table_cell(&t->table, "0");
	}
	put_lows(&t->table, STATISTIC_AFTER, h, d);
	table_cell(&t->table, "");
}

/* no upper bound: a lost I/O may have taken any time */
static void put_unknown(struct table *t, enum statistic_side side)
{
	for (unsigned int s = 0; s < STATISTICS; s++)
		if (statistic_row(s)->side == side)
			table_cell(t, "?");
}

static void put_most(struct phase_table *t, const struct histogram *h,
		     struct doubt d)
{
	table_cell(&t->table, "    at most");
	table_cell(&t->table, "");
	put_unknown(&t->table, STATISTIC_BEFORE);
	for (unsigned int i = 0; i < t->percentiles.count; i++) {
		uint64_t high = bounds_percentile(h, d,
						  t->percentiles.list[i]).high;

		if (high == UINT64_MAX)
			table_cell(&t->table, "?");
		else
			cell_time(&t->table, high);
	}
	put_unknown(&t->table, STATISTIC_AFTER);
	table_cell(&t->table, "");
}

void phase_table_bounds(struct phase_table *t, const struct histogram *h,
			struct doubt d)
{
	put_least(t, h, d);
	put_most(t, h, d);
}

/* --- slowest -------------------------------------------------------------- */

/* whether --order adds a column */
static bool has_own_column(const struct screen *s)
{
	unsigned int m = (unsigned int)s->o->order;

	return m != MEASURE_Q2C && m != MEASURE_TOTAL && m != IO_I2D && m != IO_D2C;
}

static void add_columns(const struct screen *s, struct table *t,
			const char *order)
{
	table_column(t, (struct table_column){ "I/O", 6, false, 3 });
	table_column(t, (struct table_column){ "queued", 10, false, 0 });
	table_column(t, (struct table_column){ "device", 6, true, 0 });
	table_column(t, (struct table_column){ "op", 6, true, 0 });
	table_column(t, (struct table_column){ "sector", 8, false, 0 });
	table_column(t, (struct table_column){ "size", 6, false, 4 });
	if (has_own_column(s))
		table_column(t, (struct table_column){ order, 7, false, 0 });
	table_column(t, (struct table_column){ "Q2C", 7, false, 0 });
	table_column(t, (struct table_column){ "I2D", 7, false, 5 });
	table_column(t, (struct table_column){ "D2C", 7, false, 2 });
	table_column(t, (struct table_column){ "process", 7, true, 1 });
}

static void cell_span(struct table *t, uint64_t ns)
{
	if (ns == IO_NONE)
		table_cell(t, "-");
	else
		cell_time(t, ns);
}

static void cell_moment(struct table *t, uint64_t ns)
{
	uint64_t us = ns / NS_PER_US;
	char text[40];

	snprintf(text, sizeof(text), "%llu.%06us",
		 (unsigned long long)(us / 1000000),
		 (unsigned int)(us % 1000000));
	table_cell(t, text);
}

static void cell_process(const struct screen *s, struct table *t,
			 const struct top_io *io)
{
	const char *name = reader_process(s->facts->reader, io->origin,
					  (uint32_t)io->pid);
	char shown[64] = "?", text[128];

	if (name)
		escape_text(shown, sizeof(shown), name, strlen(name));
	snprintf(text, sizeof(text), "%s/%u", shown, (uint32_t)io->pid);
	if (io->open)
		snprintf(text + strlen(text), sizeof(text) - strlen(text),
			 "  in flight");
	if (io->error)
		snprintf(text + strlen(text), sizeof(text) - strlen(text),
			 "  error %u", io->error);
	table_cell(t, text);
}

static void put_io(const struct screen *s, struct table *t,
		   const struct top_io *io)
{
	char device[VALUE_MAX];

	cell_count(t, io->id);
	cell_moment(t, io->time);
	value_device(&s->values, io->device, device);
	table_cell(t, device);
	table_cell(t, group_op_name(io->op));
	cell_count(t, io->sector);
	cell_size(t, io->bytes);
	if (has_own_column(s))
		cell_time(t, io->by);
	cell_span(t, io->q2c);
	cell_span(t, io->i2d);
	cell_span(t, io->d2c);
	cell_process(s, t, io);
}

int screen_top(const struct screen *s)
{
	const struct top *top = &s->tally->top;
	struct table t = { .text = NULL };
	char order[16];
	int err;

	add_columns(s, &t, cell_measure_name(top->measure, order));
	for (unsigned int i = 0; i < top->count; i++)
		put_io(s, &t, &top->list[i]);
	err = table_print(&t, s->b, s->look->width, true);
	table_free(&t);
	return err;
}

/* --- pictures ------------------------------------------------------------- */

static void put_histogram(const struct screen *s, struct bins *bins,
			  const struct group_row *row)
{
	unsigned int m = (unsigned int)s->o->histogram;
	const struct histogram *h = group_histogram(s->tally->group, row, m);
	char name[2 * VALUE_MAX], text[16];

	screen_row_name(s, row, name, sizeof(name));
	buf_printf(s->b, "\n%s: %s of %llu I/Os\n", name,
		   cell_measure_name(m, text),
		   (unsigned long long)h->count);
	bins_make(bins, h, histogram_text_rows(s->look));
	histogram_text(s->b, s->look, bins);
}

int screen_histograms(const struct screen *s)
{
	unsigned int m = (unsigned int)s->o->histogram;
	struct bins *bins = malloc(sizeof(*bins));

	if (!bins)
		return -1;
	for (unsigned int i = 0; i < s->row_count; i++)
		if (group_histogram(s->tally->group, s->rows[i], m)->count)
			put_histogram(s, bins, s->rows[i]);
	free(bins);
	return 0;
}

static int put_map(const struct screen *s, const struct map *map)
{
	char title[2 * VALUE_MAX], device[VALUE_MAX], text[16];
	const char *span = cell_measure_name((unsigned int)s->o->heatmap, text);
	unsigned long long ios = map->ios;
	struct heat_map m;
	int err;

	heat_end(map->heat, s->facts->from + s->facts->length);
	err = heat_map_make(&m, map->heat, heat_text_columns(s->look),
			    heat_text_rows(s->look));
	if (err)
		return err;
	value_device(&s->values, map->device, device);
	if (s->tally->maps.one)
		snprintf(title, sizeof(title), "%s of %llu I/Os by time of"
			 " completion", span, ios);
	else
		snprintf(title, sizeof(title), "%s of %llu I/Os (%s %s%s) by"
			 " time of completion", span, ios, device,
			 group_op_name(map->op), map->other ? " and others" : "");
	buf_append(s->b, "\n", 1);
	heat_text(s->b, s->look, title, &m);
	heat_map_free(&m);
	return 0;
}

int screen_maps(const struct screen *s)
{
	const struct maps *maps = &s->tally->maps;
	int err = 0;

	for (unsigned int i = 0; !err && i < maps->count; i++)
		if (maps->list[i].ios)
			err = put_map(s, &maps->list[i]);
	return err;
}

/* --- phases --------------------------------------------------------------- */

/* phases below 1/SMALL of the time are left out */
enum { SMALL = 2000 };

static bool is_shown(const struct screen *s, const struct group_row *row,
		     unsigned int m)
{
	const struct histogram *h;

	if (!(s->tally->group_options.measures >> m & 1))
		return false;
	if (s->o->measures)
		return s->o->measures >> m & 1;
	h = group_histogram(s->tally->group, row, m);
	return h->count && (m == MEASURE_Q2C || m == IO_D2C ||
			    !wide_less(wide_times(h->sum, SMALL), row->time));
}

static void put_bounds(const struct screen *s, struct phase_table *t,
		       const struct group_row *row, unsigned int m)
{
	const struct histogram *h = group_histogram(s->tally->group, row, m);
	uint32_t device = screen_device(s, row);

	if (facts_lossy(s->facts, device))
		phase_table_bounds(t, h, facts_row_doubt(s->facts, row,
							 device));
}

static int put_row(const struct screen *s, const struct group_row *row)
{
	struct phase_table t;
	char name[2 * VALUE_MAX];
	bool first = true;
	int err;

	screen_row_name(s, row, name, sizeof(name));
	phase_table_init(&t, name, &s->o->percentiles);
	for (unsigned int i = 0; i < MEASURES; i++) {
		unsigned int m = phase_table_order[i];

		if (!is_shown(s, row, m))
			continue;
		phase_table_row(&t, m,
				group_histogram(s->tally->group, row, m),
				row->time);
		if (first)
			put_bounds(s, &t, row, m);
		first = false;
	}
	err = table_print(&t.table, s->b, s->look->width, true);
	table_free(&t.table);
	return err;
}

int screen_phases(const struct screen *s)
{
	int err = 0;

	for (unsigned int i = 0; !err && i < s->row_count; i++) {
		if (!s->rows[i]->measured)
			continue;
		buf_append(s->b, "\n", 1);
		err = put_row(s, s->rows[i]);
	}
	return err;
}
