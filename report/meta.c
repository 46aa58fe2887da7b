/* SPDX-License-Identifier: GPL-2.0-only */
/* The numbers of a page as JSON; see meta.h. */
#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "blktrace.h"
#include "emit/machine_words.h"
#include "report/blocks.h"
#include "report/cache_panel.h"
#include "report/columns.h"
#include "report/knees.h"
#include "report/meta.h"
#include "report/page.h"
#include "request/ios.h"
#include "request/leftover.h"
#include "run/device.h"
#include "run/marks.h"
#include "run/reader.h"
#include "stat/facts.h"
#include "stat/statistic.h"

enum { VERSION = 1 };

/* --- tables --------------------------------------------------------------- */

static double mean_of(const struct wide *sum, uint64_t count)
{
	return count ? wide_double(*sum) / (double)count : 0;
}

static void put_span(struct json *j, const char *name,
		     const struct report_table_row *row, unsigned int span)
{
	const struct histogram *h = &row->sums.spans[span];
	uint64_t values[STATISTICS];

	if (!h->count) {
		json_put_null(j, name);
		return;
	}
	json_put_object(j, name);
	json_put_number(j, "n", h->count);
	statistics_of(h, values);
	for (unsigned int i = 0; i < STATISTICS; i++) {
		const char *word = statistic_row(i)->word;

		/* the means of phases add up to it */
		if (i == STATISTIC_MEAN)
			json_put_real(j, word, mean_of(&h->sum, h->count));
		else if (values[i] != STATISTIC_NONE)
			json_put_number(j, word, values[i]);
	}
	json_put_array(j, "p");
	for (unsigned int i = 0; i < REPORT_PERCENTILES; i++)
		json_put_number(j, NULL, row->percentiles[span][i]);
	json_put_array_end(j);
	json_put_object_end(j);
}

static double a_second(double n, uint64_t length)
{
	return length ? n * 1e9 / (double)length : 0;
}

static void put_row(const struct report_page *p, struct json *j,
		    const struct report_table_row *row)
{
	const struct report_sums *s = &row->sums;

	json_put_number(j, "n", s->count);
	json_put_number(j, "bytes", row->bytes);
	json_put_number(j, "moved", row->bytes_ios);
	json_put_number(j, "errors", s->errors);
	json_put_number(j, "merged", s->merged);
	if (row->has_sequential)
		json_put_number(j, "sequential", row->sequential);
	else
		json_put_null(j, "sequential");
	put_span(j, "q2c", row, REPORT_Q2C);
	put_span(j, "d2c", row, REPORT_D2C);
	put_span(j, "q2d", row, REPORT_Q2D);
	json_put_array(j, "phases");
	for (unsigned int i = 0; i < REPORT_PHASES; i++)
		json_put_real(j, NULL, mean_of(&s->phases[i], s->count));
	json_put_array_end(j);
	json_put_real(j, "perSecond", a_second((double)s->count, p->r->length));
	json_put_real(j, "bytesPerSecond",
		      a_second((double)row->bytes, p->r->length));
}

/* what a row's key is in the file */
static uint64_t key_of(const struct report_page *p, unsigned int kind,
		       uint64_t key)
{
	if (kind == REPORT_BY_PROCESS)
		return page_process_index(p, (uint32_t)key);
	if (kind == REPORT_BY_DISK)
		return page_device_index(p, (uint32_t)key);
	return key;
}

static const struct {
	const char *table, *key;
} table_names[REPORT_TABLES] = {
	[REPORT_BY_OP] = { "operations", "operation" },
	[REPORT_BY_PROCESS] = { "processes", "process" },
	[REPORT_BY_DISK] = { "devices", "device" },
	[REPORT_BY_CGROUP] = { "cgroups", "cgroup" },
};

/* Several cgroups may have had one path: then its id is none of them. */
static void put_key(const struct report_page *p, struct json *j,
		    unsigned int kind, uint64_t key)
{
	const char *path = kind == REPORT_BY_CGROUP ?
			   page_cgroup_path(p, key) : NULL;

	if (path)
		json_put_null(j, table_names[kind].key);
	else
		json_put_number(j, table_names[kind].key, key_of(p, kind, key));
	if (kind == REPORT_BY_CGROUP)
		json_put_string(j, "path", path);
}

static void put_table(const struct report_page *p, struct json *j,
		      unsigned int kind)
{
	const struct report_table *t = &p->tables->of[kind];

	json_put_array(j, table_names[kind].table);
	for (uint32_t i = 0; i < t->count; i++) {
		json_put_object(j, NULL);
		put_row(p, j, &t->rows[i]);
		put_key(p, j, kind, t->rows[i].key);
		json_put_object_end(j);
	}
	json_put_array_end(j);
}

static void meta_tables_write(const struct report_page *p, struct json *j)
{
	json_put_object(j, "tables");
	json_put_object(j, "all");
	put_row(p, j, &p->tables->of[REPORT_ALL].rows[0]);
	json_put_object_end(j);
	for (unsigned int kind = REPORT_BY_OP; kind < REPORT_TABLES; kind++)
		put_table(p, j, kind);
	json_put_object_end(j);
}

/* --- the slowest ---------------------------------------------------------- */

static void put_slow(struct json *j, const struct report_row *row)
{
	uint64_t d2c;
	bool issued = report_row_span(row, REPORT_D2C, &d2c);

	json_put_array(j, NULL);
	json_put_signed(j, NULL, (int64_t)row->time);
	json_put_number(j, NULL, row->stream);
	json_put_number(j, NULL, row->sector);
	json_put_number(j, NULL, (uint64_t)row->blocks << 9);
	json_put_number(j, NULL, row->q2g);
	json_put_number(j, NULL, row->q2i);
	json_put_signed(j, NULL, issued ? (int64_t)row->q2d - 1 : -1);
	json_put_signed(j, NULL, issued ? (int64_t)d2c : -1);
	json_put_number(j, NULL, report_row_total(row));
	json_put_number(j, NULL, row->pid);
	json_put_number(j, NULL, row->flags);
	json_put_number(j, NULL, row->error);
	json_put_array_end(j);
}

static void meta_slowest_write(const struct report_page *p, struct json *j)
{
	const struct report_row *row;
	struct page_turn turn = { 0 };

	json_put_array(j, "slowest");
	while ((row = page_next_slow(p, &turn)))
		put_slow(j, row);
	json_put_array_end(j);
}

/* --- names ---------------------------------------------------------------- */

static void put_over(const struct report_page *p, struct json *j, uint32_t i)
{
	const struct report_disks *d = &p->r->disks;

	json_put_array(j, "over");
	for (uint32_t k = 0; k < d->there; k++)
		if (report_disks_over(d, d->order[i], d->order[k]))
			json_put_number(j, NULL, k);
	json_put_array_end(j);
}

static void put_device(const struct report_page *p, struct json *j, uint32_t i)
{
	const struct report_disk *d = &p->r->disks.list[p->r->disks.order[i]];
	const char *host = d->device->host;
	char text[PAGE_NAME_MAX];

	json_put_object(j, NULL);
	json_put_string(j, "name", page_device(p, i, text));
	page_number(text, d->number);
	json_put_string(j, "number", text);
	json_put_string(j, "host", host ? host : p->host);
	json_put_number(j, "lo", d->lo);
	json_put_number(j, "hi", d->hi);
	put_over(p, j, i);
	json_put_number(j, "level", d->level);
	json_put_bool(j, "stacked", d->stacked);
	json_put_bool(j, "issues", d->has_d);
	json_put_bool(j, "on", d->on);
	json_put_object_end(j);
}

/* of its pids the first */
enum { PIDS_MAX = 50 };

static void put_process(const struct report_page *p, struct json *j, uint32_t i)
{
	const struct report_pids *pids = &p->r->pids;
	char text[PAGE_NAME_MAX];
	unsigned int n = 0;

	json_put_object(j, NULL);
	json_put_string(j, "name", page_process(p, i, text));
	json_put_array(j, "pids");
	for (size_t k = 0; k < pids->count && n < PIDS_MAX; k++) {
		uint32_t process = pids->list[k].process;

		if (pids->processes[process].same != p->processes[i])
			continue;
		json_put_number(j, NULL, pids->list[k].pid);
		n++;
	}
	json_put_array_end(j);
	if (p->processes[i] == REPORT_OTHERS)
		json_put_bool(j, "other", true);
	json_put_object_end(j);
}

static void put_operations(struct json *j)
{
	json_put_array(j, "operations");
	for (unsigned int i = 0; i < REPORT_OPS; i++) {
		json_put_object(j, NULL);
		json_put_string(j, "key", page_op_key(i));
		json_put_string(j, "name", page_op_name(i));
		json_put_object_end(j);
	}
	json_put_array_end(j);
}

static void put_streams(const struct report_page *p, struct json *j)
{
	const struct report_folding *f = &p->r->folding;

	json_put_array(j, "streams");
	for (uint32_t i = 0; i < f->count; i++) {
		const struct report_stream *s = &f->list[i];

		json_put_array(j, NULL);
		json_put_number(j, NULL, page_device_index(p, s->disk));
		json_put_number(j, NULL, s->op);
		json_put_number(j, NULL, page_process_index(p, s->process));
		json_put_array_end(j);
	}
	json_put_array_end(j);
}

static void put_pids(const struct report_page *p, struct json *j)
{
	const struct report_pids *pids = &p->r->pids;
	char text[PAGE_NAME_MAX];

	json_put_array(j, "pids");
	for (size_t i = 0; i < pids->count; i++)
		json_put_number(j, NULL, pids->list[i].pid);
	json_put_array_end(j);
	json_put_array(j, "pidnames");
	for (uint32_t i = 0; i < pids->count; i++) {
		page_pid(p, i, text);
		json_put_string(j, NULL, text);
	}
	json_put_array_end(j);
}

static void put_names(const struct report_page *p, struct json *j)
{
	json_put_array(j, "devices");
	for (uint32_t i = 0; i < p->r->disks.there; i++)
		put_device(p, j, i);
	json_put_array_end(j);
	json_put_array(j, "processes");
	for (uint32_t i = 0; i < p->process_count; i++)
		put_process(p, j, i);
	json_put_array_end(j);
	put_operations(j);
	put_streams(p, j);
	put_pids(p, j);
}

/* --- what the columns are ------------------------------------------------- */

static void put_bins(const struct report_page *p, struct json *j)
{
	json_put_object(j, "bins");
	json_put_number(j, "width", page_bin_width(p));
	json_put_number(j, "count", p->blocks->bins);
	json_put_number(j, "first", p->blocks->first);
	json_put_number(j, "buckets", p->blocks->buckets);
	json_put_number(j, "sub", 8);
	json_put_object_end(j);
}

static void put_offsets(const struct report_page *p, struct json *j)
{
	json_put_object(j, "offsets");
	json_put_number(j, "cells", p->blocks->cells);
	json_put_number(j, "rows", p->blocks->rows);
	json_put_number(j, "width", p->blocks->width);
	json_put_array(j, "devices");
	for (uint32_t i = 0; i < p->r->disks.there; i++) {
		const struct report_offsets *o =
			&p->r->cube.offsets[p->r->disks.order[i]];

		json_put_object(j, NULL);
		json_put_number(j, "row", UINT64_C(1) << o->shift);
		json_put_number(j, "base", o->base);
		json_put_object_end(j);
	}
	json_put_array_end(j);
	json_put_object_end(j);
}

static void put_sizes(const struct report_page *p, struct json *j)
{
	json_put_object(j, "sizes");
	json_put_number(j, "cells", REPORT_SIZE_CELLS);
	json_put_number(j, "width", p->r->cube.sizes.width);
	json_put_number(j, "classes", REPORT_CLASSES);
	json_put_object_end(j);
}

static void put_excerpt(struct json *j, const struct report_excerpt *s)
{
	json_put_array(j, NULL);
	json_put_number(j, NULL, s->from);
	json_put_number(j, NULL, s->to);
	json_put_number(j, NULL, s->first);
	json_put_number(j, NULL, s->end);
	json_put_array_end(j);
}

static void put_excerpts(const struct report_page *p, struct json *j)
{
	const struct report_excerpts *s = &p->r->excerpts;
	const struct report_excerpt all = {
		.to = p->r->length + 1, .end = p->r->rows.count,
	};

	json_put_array(j, "stretches");
	if (p->blocks->exact)
		put_excerpt(j, &all);
	for (uint32_t i = 0; !p->blocks->exact && i < s->count; i++)
		put_excerpt(j, &s->list[i]);
	json_put_array_end(j);
}

static void put_columns(const struct report_page *p, struct json *j)
{
	const struct report_columns *c = p->blocks->columns;

	json_put_object(j, "columns");
	for (uint32_t i = 0; i < c->count; i++) {
		const struct report_column *one = &c->list[i];

		json_put_array(j, one->name);
		json_put_string(j, NULL, c->blocks[one->block].name);
		json_put_number(j, NULL, one->offset);
		json_put_number(j, NULL, one->bytes);
		json_put_number(j, NULL, one->count);
		json_put_string(j, NULL, one->encoding);
		json_put_array_end(j);
	}
	json_put_object_end(j);
}

static void put_layout(const struct report_page *p, struct json *j)
{
	put_bins(p, j);
	json_put_bool(j, "exact", p->blocks->exact);
	put_excerpts(p, j);
	put_columns(p, j);
	if (!p->blocks->exact) {
		put_offsets(p, j);
		put_sizes(p, j);
	}
}

/* --- the run -------------------------------------------------------------- */

static void put_depth_of(const struct report_page *p, struct json *j,
			 const struct report_depth *d, bool exact)
{
	double length = (double)p->r->length;

	json_put_real(j, "mean", length > 0 ?
		      wide_double(d->integral) / length : 0);
	json_put_number(j, "max", d->max);
	json_put_real(j, "busy", length > 0 ? (double)d->busy / length : 0);
	json_put_bool(j, "exact", exact);
}

static void put_depths(const struct report_page *p, struct json *j)
{
	const struct report_depth *ios = p->r->depths.of[REPORT_DEPTH_IOS];
	const struct report_depth *requests =
		p->r->depths.of[REPORT_DEPTH_REQUESTS];
	const struct report_disks *disks = &p->r->disks;

	json_put_array(j, "depth");
	for (uint32_t i = 0; i < disks->there; i++) {
		json_put_object(j, NULL);
		json_put_number(j, "device", i);
		put_depth_of(p, j, &ios[disks->order[i]],
			     page_depth_exact(p, REPORT_DEPTH_IOS,
					      disks->order[i]));
		json_put_object_end(j);
	}
	json_put_array_end(j);
	json_put_object(j, "depthAll");
	put_depth_of(p, j, &ios[REPORT_DEPTH_ALL],
		     page_depth_exact(p, REPORT_DEPTH_IOS, REPORT_DEPTH_ALL));
	json_put_object_end(j);
	json_put_array(j, "queueDepth");
	for (uint32_t i = 0; i < disks->there; i++) {
		json_put_object(j, NULL);
		json_put_number(j, "device", i);
		put_depth_of(p, j, &requests[disks->order[i]],
			     page_depth_exact(p, REPORT_DEPTH_REQUESTS,
					      disks->order[i]));
		json_put_number(j, "inFlight",
				p->r->in_flight[disks->order[i]].count);
		json_put_object_end(j);
	}
	json_put_array_end(j);
	json_put_object(j, "queueDepthAll");
	put_depth_of(p, j, &requests[REPORT_DEPTH_ALL],
		     page_depth_exact(p, REPORT_DEPTH_REQUESTS,
				      REPORT_DEPTH_ALL));
	json_put_object_end(j);
}

/* [[from, to], ...] */
static void put_spans(struct json *j, const struct remark *one)
{
	json_put_array(j, "spans");
	for (uint32_t i = 0; i < one->span_count; i++) {
		json_put_array(j, NULL);
		json_put_number(j, NULL, one->spans[i].from);
		json_put_number(j, NULL, one->spans[i].until);
		json_put_array_end(j);
	}
	json_put_array_end(j);
}

static void put_findings(const struct report_page *p, struct json *j)
{
	json_put_array(j, "findings");
	for (unsigned int i = 0; i < p->remarks->count; i++) {
		const struct remark *one = &p->remarks->list[i];

		json_put_object(j, NULL);
		json_put_string(j, "level", remark_level_name(one->level));
		json_put_string(j, "head", one->head);
		json_put_string(j, "text", one->text);
		if (one->timed) {
			json_put_number(j, "from", one->from);
			json_put_number(j, "to", one->to);
		} else {
			json_put_null(j, "from");
			json_put_null(j, "to");
		}
		if (one->rule)
			json_put_string(j, "rule", one->rule);
		else
			json_put_null(j, "rule");
		put_spans(j, one);
		json_put_object_end(j);
	}
	json_put_array_end(j);
}

static void put_lanes(const struct report_page *p, struct json *j)
{
	static const struct {
		const char *name, *kind;
	} names[REPORT_LANES] = {
		[REPORT_LANE_FLUSH] = { "flushes", "F" },
		[REPORT_LANE_FUA] = { "forced unit access", "FUA" },
		[REPORT_LANE_DISCARD] = { "discards", "D" },
		[REPORT_LANE_ERROR] = { "errors", "E" },
		[REPORT_LANE_REQUEUE] = { "requeues", "requeue" },
		[REPORT_LANE_LOST] = { "lost records", "lost" },
	};

	json_put_array(j, "lanes");
	for (unsigned int i = 0; i < REPORT_LANES; i++) {
		const struct report_lane *lane = &p->r->lanes.of[i];

		if (!lane->count)
			continue;
		json_put_object(j, NULL);
		json_put_string(j, "name", names[i].name);
		json_put_string(j, "kind", names[i].kind);
		json_put_number(j, "n", lane->count);
		json_put_number(j, "kept", lane->kept);
		json_put_number(j, "longest", lane->longest);
		json_put_object_end(j);
	}
	json_put_array_end(j);
}

/* from when on not all CPUs' records are there */
static void put_reach(const struct report_page *p, struct json *j)
{
	struct reach reach;

	reader_reach(p->facts->reader, READER_ALL, &reach);
	if (!reach.cpus && !reach.killed) {
		json_put_null(j, "complete");
		return;
	}
	json_put_number(j, "complete", reach.time <= p->r->o.start ? 0 :
			reach.time - p->r->o.start);
}

static void put_gaps(const struct report_page *p, struct json *j)
{
	json_put_array(j, "gaps");
	for (size_t i = 0; i < p->gap_count; i++) {
		json_put_array(j, NULL);
		json_put_number(j, NULL, p->gaps[i].from);
		json_put_number(j, NULL, p->gaps[i].to);
		json_put_number(j, NULL, p->gaps[i].lost);
		json_put_array_end(j);
	}
	json_put_array_end(j);
	put_reach(p, j);
	json_put_number(j, "lost", p->facts->loss.missing);
	json_put_number(j, "events", p->facts->records);
	json_put_real(j, "coverage", page_coverage(p));
	json_put_array(j, "damage");
	for (size_t i = 0; i < p->damage_count; i++)
		json_put_string(j, NULL, p->damage[i]);
	json_put_array_end(j);
}

/* --- marks ---------------------------------------------------------------- */

static void put_mark(const struct report_page *p, struct json *j,
		     const struct mark *m)
{
	const struct devices *d = reader_devices(p->facts->reader);
	const char *process = reader_process(p->facts->reader, m->origin,
					     m->pid);
	char text[PAGE_NAME_MAX];

	json_put_array(j, NULL);
	json_put_number(j, NULL, m->time - p->r->o.start);
	json_put_text(j, NULL, m->text, m->len);
	snprintf(text, sizeof(text), "pid %u", m->pid);
	json_put_string(j, NULL, process && *process ? process : text);
	device_text(d->list[m->device], text, sizeof(text));
	json_put_string(j, NULL, m->devices > 1 ? "" : text);
	json_put_array_end(j);
}

/* those within the report */
static void put_marks(const struct report_page *p, struct json *j)
{
	const struct marks *marks = reader_marks(p->facts->reader);
	uint64_t start = p->r->o.start;

	json_put_array(j, "marks");
	for (size_t i = 0; i < marks->count; i++)
		if (marks->list[i].time >= start &&
		    marks->list[i].time - start <= p->r->length)
			put_mark(p, j, &marks->list[i]);
	json_put_array_end(j);
}

/* what cards tell, in sentences */
static void put_machines(const struct report_page *p, struct json *j)
{
	const struct reader *r = p->facts->reader;
	const struct devices *d = reader_devices(r);
	char words[MACHINE_WORDS];

	json_put_array(j, "machines");
	for (uint32_t i = 0; i < (d->host_count ? d->host_count : 1); i++)
		if (machine_words(words, r, (uint16_t)i))
			json_put_string(j, NULL, words);
	for (uint32_t i = 0; i < d->count; i++)
		if (machine_words_device(words, r, i))
			json_put_string(j, NULL, words);
	json_put_array_end(j);
}

static void put_about(const struct report_page *p, struct json *j)
{
	const struct report *r = p->r;
	const struct joiner_counts *counts = ios_counts(p->facts->ios);
	const struct report_table_row *flushes = page_op_row(p, REPORT_FLUSH);

	json_put_object(j, "about");
	json_put_number(j, "events", p->facts->records);
	json_put_number(j, "ios", r->count - r->ghosts);
	json_put_number(j, "open", r->open);
	json_put_number(j, "ghosts", r->ghosts + p->facts->ghosts);
	json_put_number(j, "flushes", flushes ? flushes->sums.count : 0);
	json_put_number(j, "replaced", counts->evicted);
	json_put_number(j, "passthrough", r->passthrough);
	json_put_string(j, "command", p->command);
	json_put_string(j, "input", p->input ? p->input : "");
	put_machines(p, j);
	json_put_object(j, "unpaired");
	for (unsigned int i = 0; i < JOINER_LEFTOVERS; i++)
		json_put_number(j, joiner_leftover_name(i),
				counts->leftovers[i]);
	json_put_object_end(j);
	json_put_object_end(j);
}

static void put_has(const struct report_page *p, struct json *j)
{
	static const char *const names[REPORT_SPANS] = { "q2c", "d2c", "q2d" };

	json_put_object(j, "has");
	for (unsigned int i = 0; i < REPORT_SPANS; i++)
		json_put_bool(j, names[i], page_has(p, i));
	json_put_object_end(j);
	json_put_array(j, "phases");
	json_put_string(j, NULL, "Get request");
	json_put_string(j, NULL, "Plug, merge");
	json_put_string(j, NULL, "Scheduler, dispatch");
	json_put_string(j, NULL, "Device");
	json_put_array_end(j);
}

static void put_wall(const struct report_page *p, struct json *j)
{
	struct timespec wall;

	if (!page_wall(p, &wall)) {
		json_put_null(j, "wall");
		return;
	}
	json_put_array(j, "wall");
	json_put_signed(j, NULL, wall.tv_sec);
	json_put_signed(j, NULL, wall.tv_nsec);
	json_put_array_end(j);
}

void report_meta_put(const struct report_page *p, struct json *j)
{
	json_put_object(j, NULL);
	json_put_number(j, "version", VERSION);
	json_put_string(j, "title", p->title);
	json_put_string(j, "host", p->host);
	json_put_string(j, "program", p->program);
	put_wall(p, j);
	json_put_number(j, "start", p->r->o.start);
	json_put_number(j, "duration", p->r->length);
	put_names(p, j);
	put_layout(p, j);
	put_has(p, j);
	meta_tables_write(p, j);
	put_depths(p, j);
	knees_put(p, j);
	put_findings(p, j);
	meta_slowest_write(p, j);
	put_lanes(p, j);
	put_gaps(p, j);
	put_marks(p, j);
	cache_panel_meta(p, j);
	put_about(p, j);
	json_put_object_end(j);
}

void report_meta_write(const struct report_page *p, struct buf *b, bool page)
{
	struct json j = { .b = b, .page = page };

	report_meta_put(p, &j);
}
