/* SPDX-License-Identifier: GPL-2.0-only */
/* Tables for programs; see data.h. */
#include <errno.h>
#include <stdio.h>

#include "base/buf.h"
#include "base/time.h"
#include "emit/cells.h"
#include "run/device.h"
#include "stat/bounds.h"
#include "stat/group_op.h"
#include "stat/group_row.h"
#include "tools/btstat/data.h"
#include "tools/btstat/marked.h"
#include "tools/btstat/options.h"
#include "tools/btstat/tally.h"

/* of the JSON; rises when a name changes its meaning */
enum { SCHEMA = 1 };

static const struct percentile_list usual = { { 50000, 90000, 99000, 99900 },
					      4 };

static void put_keys(const struct screen *s, struct sink *k,
		     const struct group_row *row)
{
	const struct group_options *g = &s->tally->group_options;
	char text[VALUE_MAX];

	for (unsigned int i = 0; i < g->key_count; i++) {
		const char *name = value_column(g->keys[i]);

		*text = '\0';
		if (!row->other)
			value_text(&s->values, g->keys[i], row->keys[i], text);
		if (!*text && value_is_number(&s->values, g->keys[i]))
			sink_none(k, name);
		else if (value_is_number(&s->values, g->keys[i]))
			sink_number(k, name, row->keys[i]);
		else
			sink_text(k, name, row->other && !i ? "(other)" : text);
	}
}

/* --- phases --------------------------------------------------------------- */

static void put_percentile(const struct screen *s, struct sink *k,
			   const struct group_row *row,
			   const struct histogram *h, uint32_t p)
{
	uint32_t device = screen_device(s, row);
	struct bounds b = { 0, UINT64_MAX };
	char text[32];

	if (facts_lossy(s->facts, device))
		b = bounds_percentile(h, facts_row_doubt(s->facts, row,
							 device), p);
	sink_maybe(k, cell_percentile_column(p, "_ns", text),
		   histogram_above(h->count, p),
		   histogram_kth(h, histogram_rank(h->count, p)));
	sink_maybe(k, cell_percentile_column(p, "_low_ns", text), b.low,
		   b.low);
	sink_maybe(k, cell_percentile_column(p, "_high_ns", text),
		   b.high != UINT64_MAX, b.high);
}

static void put_places(const struct screen *s, struct sink *k,
		       const struct group_row *row, unsigned int m)
{
	const struct group_place *least, *most;

	if (!row->least)
		return;
	least = group_least(s->tally->group, row, m);
	most = group_greatest(s->tally->group, row, m);
	sink_number(k, "min_time_ns", least->time);
	sink_number(k, "min_sector", least->sector);
	sink_number(k, "max_time_ns", most->time);
	sink_number(k, "max_sector", most->sector);
}

/* --under: of Q2C only */
static void put_under(const struct screen *s, struct sink *k,
		      const struct group_row *row, unsigned int m)
{
	for (unsigned int i = 0; i < s->o->under.count; i++) {
		char name[40];

		snprintf(name, sizeof(name), "under_%llu_ns",
			 (unsigned long long)s->o->under.list[i]);
		sink_maybe(k, name, m == MEASURE_Q2C, row->under[i]);
	}
}

/* lower bounds of statistics */
static void put_lows(struct sink *k, const struct histogram *h, bool lossy,
		     struct doubt d)
{
	for (unsigned int i = 0; i < STATISTICS; i++) {
		const struct statistic_row *row = statistic_row(i);
		char name[32];

		if (!row->low)
			continue;
		snprintf(name, sizeof(name), "%s_low_ns", row->word);
		sink_maybe(k, name, lossy, row->low(h, d));
	}
}

static void put_phase(const struct screen *s, struct sink *k,
		      const struct group_row *row, unsigned int m)
{
	const struct histogram *h = group_histogram(s->tally->group, row, m);
	const struct percentile_list *p = s->o->percentiles.count ?
					  &s->o->percentiles : &usual;
	uint32_t device = screen_device(s, row);
	struct doubt d = facts_row_doubt(s->facts, row, device);
	bool any = h->count, lossy = any && facts_lossy(s->facts, device);
	uint64_t values[STATISTICS];

	sink_row(k);
	put_keys(s, k, row);
	sink_text(k, "phase", measure_name(m));
	sink_number(k, "count", h->count);
	sink_number(k, "missing", d.missing);
	if (any)
		sink_wide(k, "sum_ns", h->sum);
	else
		sink_none(k, "sum_ns");
	statistics_of(h, values);
	sink_statistics(k, values);
	for (unsigned int i = 0; i < p->count; i++)
		put_percentile(s, k, row, h, p->list[i]);
	put_under(s, k, row, m);
	sink_number(k, "unsure", d.wrong);
	put_lows(k, h, lossy, d);
	put_places(s, k, row, m);
	sink_row_end(k);
}

static bool is_requested(const struct screen *s, unsigned int m)
{
	uint32_t mask = s->o->measures ? s->o->measures :
					 s->tally->group_options.measures;

	return mask >> m & 1;
}

/* Q2C before its phases, as on the screen */
static void put_phases(const struct screen *s, struct sink *k,
		       const struct group_row *row)
{
	for (unsigned int i = 0; i < MEASURES; i++) {
		unsigned int m = (i + IO_PHASES) % MEASURES;

		if (is_requested(s, m) &&
		    (m == MEASURE_Q2C ||
		     group_histogram(s->tally->group, row, m)->count))
			put_phase(s, k, row, m);
	}
}

/* --- the slowest ---------------------------------------------------------- */

static void put_span(struct sink *k, const char *name, uint64_t ns)
{
	sink_maybe(k, name, ns != IO_NONE, ns);
}

static void put_slow(const struct screen *s, struct sink *k,
		     const struct top_io *io)
{
	const char *process = reader_process(s->facts->reader, io->origin,
					     (uint32_t)io->pid);
	char device[VALUE_MAX], order[32];

	value_device(&s->values, io->device, device);
	snprintf(order, sizeof(order), "by_%s_ns",
		 measure_name(s->tally->top.measure));
	sink_row(k);
	sink_number(k, "id", io->id);
	sink_text(k, "disk", device);
	sink_number(k, "time_ns", io->time);
	sink_text(k, "op", group_op_name(io->op));
	sink_number(k, "sector", io->sector);
	sink_number(k, "bytes", io->bytes);
	sink_number(k, order, io->by);
	put_span(k, "total_ns", io->open ? IO_NONE : io->q2c);
	sink_maybe(k, "age_ns", io->open, io->q2c);
	put_span(k, "i2d_ns", io->i2d);
	put_span(k, "d2c_ns", io->d2c);
	sink_number(k, "pid", io->pid);
	if (process)
		sink_text(k, "process", process);
	else
		sink_none(k, "process");
	sink_number(k, "error", io->error);
	sink_row_end(k);
}

static void put_top(const struct screen *s, struct sink *k)
{
	for (unsigned int i = 0; i < s->tally->top.count; i++)
		put_slow(s, k, &s->tally->top.list[i]);
}

/* --- csv ------------------------------------------------------------------ */

static int put_heading(const struct screen *s, struct sink *k)
{
	const struct top_io io = { .id = 0 };
	struct group_row *row = group_row_new(&s->tally->group_options);

	if (!row)
		return -ENOMEM;
	k->heading = true;
	if (s->o->top)
		put_slow(s, k, &io);
	else
		put_phase(s, k, row, MEASURE_Q2C);
	k->heading = false;
	group_row_free(&s->tally->group_options, row);
	return 0;
}

int data_csv(const struct screen *s)
{
	struct sink k = { .b = s->b };
	int err = 0;

	if (s->o->marks)
		marked_data(s, &k, NULL);
	else
		err = put_heading(s, &k);
	if (err || s->o->marks)
		return err;
	if (s->o->top)
		put_top(s, &k);
	else
		for (unsigned int i = 0; i < s->row_count; i++)
			if (s->rows[i]->count)
				put_phases(s, &k, s->rows[i]);
	return 0;
}

/* --- json ----------------------------------------------------------------- */

static void put_disks(const struct screen *s, struct sink *k)
{
	const struct devices *d = reader_devices(s->facts->reader);

	sink_array(k, "disks");
	for (uint32_t i = 0; i < d->count; i++) {
		char name[VALUE_MAX];

		value_device(&s->values, i, name);
		sink_text(k, NULL, name);
	}
	sink_array_end(k);
}

static void put_trace(const struct screen *s, struct sink *k)
{
	const struct facts *f = s->facts;

	sink_object(k, "trace");
	put_disks(s, k);
	sink_number(k, "cpus", f->cpus);
	sink_number(k, "records", f->records);
	sink_maybe(k, "start_unix_ns", f->has_wall, time_of_timespec(&f->wall));
	sink_number(k, "end_ns", f->end);
	sink_number(k, "from_ns", f->from);
	sink_number(k, "length_ns", f->length);
	marked_data(s, k, "marks");
	sink_object_end(k);
}

static void put_coverage(const struct screen *s, struct sink *k)
{
	const struct facts *f = s->facts;
	uint64_t measured = coverage_measured(&f->all);

	sink_object(k, "coverage");
	sink_number(k, "ios", facts_ios(f));
	sink_number(k, "measured", measured);
	sink_number(k, "open", f->all.open);
	sink_number(k, "in_flight", f->all.in_flight.count);
	sink_maybe(k, "oldest_ns", f->all.in_flight.count,
		   f->all.in_flight.age);
	sink_number(k, "ghosts", f->ghosts);
	sink_number(k, "lost", f->all.lost);
	sink_number(k, "evicted", f->all.evicted);
	sink_number(k, "gap", f->all.gap);
	sink_number(k, "without_q", f->all.complete - measured);
	sink_number(k, "flushes", f->all.flushes);
	sink_number(k, "missing", facts_missing(f));
	sink_number(k, "lost_records", f->loss.missing);
	sink_number(k, "damages", f->loss.damages);
	sink_number(k, "late", f->loss.late);
	sink_object_end(k);
}

/* with the keys of blktop's rows of late devices */
static void put_open(const struct screen *s, struct sink *k, uint32_t device,
		     const struct coverage_open *o)
{
	const char *process = reader_process(s->facts->reader, o->origin,
					     o->pid);
	char name[VALUE_MAX];

	value_device(&s->values, device, name);
	sink_row(k);
	sink_text(k, "disk", name);
	sink_number(k, "in_flight", o->count);
	sink_number(k, "oldest_ns", o->age);
	sink_text(k, "op", io_op_name(o->op));
	sink_maybe(k, "sector", o->op != IO_FLUSH_OP, o->sector);
	if (process)
		sink_text(k, "process", process);
	else
		sink_none(k, "process");
	sink_row_end(k);
}

static void put_in_flight(const struct screen *s, struct sink *k)
{
	const struct coverages *c = &s->tally->coverages;

	sink_array(k, "open");
	for (uint32_t i = 0; i < c->count; i++)
		if (c->list[i].in_flight.count)
			put_open(s, k, i, &c->list[i].in_flight);
	sink_array_end(k);
}

static int put_sums(const struct screen *s, struct sink *k,
		    const struct group_row *row)
{
	struct depth_row d, least;

	sink_row(k);
	put_keys(s, k, row);
	sink_number(k, "ios", row->count);
	sink_number(k, "measured", row->measured);
	sink_number(k, "bytes", row->bytes);
	sink_number(k, "errors", row->errors);
	sink_number(k, "merged", row->merged);
	sink_number(k, "sequential", row->run.sequential);
	if (row->depth) {
		if (screen_depth(s, row, &d, &least))
			return -ENOMEM;
	}
	if (row->depth && !s->facts->untimed) {
		sink_wide(k, "depth_ns", d.integral);
		sink_number(k, "depth_most", d.most);
		sink_number(k, "busy_ns", d.busy);
		sink_flag(k, "depth_exact", d.exact);
		sink_wide(k, "depth_low_ns", least.integral);
		sink_number(k, "busy_low_ns", least.busy);
	}
	sink_row_end(k);
	return 0;
}

static int put_tables(const struct screen *s, struct sink *k)
{
	int err = 0;

	sink_array(k, "sums");
	for (unsigned int i = 0; !err && i < s->row_count; i++)
		/* depth alone: flushes without a Q */
		if (s->rows[i]->count || s->rows[i]->depth)
			err = put_sums(s, k, s->rows[i]);
	sink_array_end(k);
	sink_array(k, "phases");
	for (unsigned int i = 0; i < s->row_count; i++)
		if (s->rows[i]->count)
			put_phases(s, k, s->rows[i]);
	sink_array_end(k);
	if (!s->o->top)
		return err;
	sink_array(k, "slowest");
	put_top(s, k);
	sink_array_end(k);
	return err;
}

int data_json(const struct screen *s, struct sink *k)
{
	int err;

	*k = (struct sink){ .b = s->b, .json = true };
	sink_object(k, NULL);
	sink_number(k, "schema", SCHEMA);
	put_trace(s, k);
	put_coverage(s, k);
	put_in_flight(s, k);
	sink_object(k, "tables");
	err = put_tables(s, k);
	sink_object_end(k);
	return err;
}

void data_json_end(struct sink *k)
{
	sink_object_end(k);
	buf_append(k->b, "\n", 1);
}
