/* SPDX-License-Identifier: GPL-2.0-only */
/* A page that is made; see making.h. */
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/blocks.h"
#include "report/columns.h"
#include "report/gathering.h"
#include "report/html.h"
#include "report/making.h"
#include "report/markup.h"
#include "report/page.h"
#include "report/remarks.h"
#include "report/report.h"
#include "run/reader.h"

/* --- summary -------------------------------------------------------------- */

/*
 * Remarks for any run, if there is room after the findings: the slowest I/O,
 * the process with most data, and the rate of flushes.
 */

static const struct report_table_row *all_of(const struct report_page *p)
{
	return &p->tables->of[REPORT_ALL].rows[0];
}

/* the slowest is a warning if it is this many times the median */
enum { FAR = 50 };

static const char *const things[REPORT_OPS] = {
	[REPORT_READ] = "a read", [REPORT_WRITE] = "a write",
	[REPORT_FLUSH] = "a flush", [REPORT_DISCARD] = "a discard",
	[REPORT_OTHER] = "an operation",
};

static void say_slowest(struct remark *one, const struct report_page *p,
			const struct report_row *row)
{
	char ns[FIGURE_TEXT_MAX], size[FIGURE_TEXT_MAX], at[FIGURE_TEXT_MAX];
	char name[PAGE_NAME_MAX], device[PAGE_NAME_MAX];
	const struct report_stream *s = &p->r->folding.list[row->stream];
	uint64_t begin = report_row_begin(row), us = (begin + 500) / 1000;

	figure_text(at, figure_count(row->sector));
	figure_text(ns, figure_time((double)report_row_total(row)));
	figure_text(size, figure_size((double)row->blocks * 512));
	page_device(p, page_device_index(p, s->disk), device);
	page_pid(p, row->pid, name);
	snprintf(one->head, sizeof(one->head), "The slowest I/O took %s: %s"
		 " of %s on %s", ns, things[row->op], size, device);
	snprintf(one->text, sizeof(one->text), "Queued at %" PRIu64 ".%06u" THIN
		 "s by %s, sector %s.", us / 1000000,
		 (unsigned int)(us % 1000000), name, at);
	one->from = begin;
	one->to = row->time + report_row_total(row);
	one->timed = one->from < one->to;
}

static void add_slowest(struct report_remarks *to, const struct report_page *p)
{
	struct page_turn turn = { 0 };
	const struct report_row *row = page_next_slow(p, &turn);
	uint64_t median = all_of(p)->percentiles[page_span(p)][0];
	struct remark *one;

	if (!row)
		return;
	one = remarks_add(to, report_row_total(row) / FAR > median ?
			      REMARK_WARNING : REMARK_NOTE);
	if (one)
		say_slowest(one, p, row);
}

static const struct report_table_row *busiest(const struct report_page *p)
{
	const struct report_table *t = &p->tables->of[REPORT_BY_PROCESS];
	const struct report_table_row *most = NULL;

	for (uint32_t i = 0; i < t->count; i++)
		if (!most || t->rows[i].bytes > most->bytes)
			most = &t->rows[i];
	return most;
}

static void add_busiest(struct report_remarks *to, const struct report_page *p)
{
	const struct report_table_row *most = busiest(p);
	char name[PAGE_NAME_MAX], share[FIGURE_TEXT_MAX];
	char data[FIGURE_TEXT_MAX], count[FIGURE_TEXT_MAX];
	struct remark *one;

	if (!most || !most->bytes)
		return;
	one = remarks_add(to, REMARK_NOTE);
	if (!one)
		return;
	page_process(p, page_process_index(p, (uint32_t)most->key), name);
	figure_text(share, figure_share((double)most->bytes,
					(double)all_of(p)->bytes));
	figure_text(data, figure_size((double)most->bytes));
	figure_text(count, figure_count(most->bytes_ios));
	snprintf(one->head, sizeof(one->head), "%s transfers %s of the data",
		 name, share);
	snprintf(one->text, sizeof(one->text), "%s in %s I/Os.", data, count);
}

static void add_flushes(struct report_remarks *to, const struct report_page *p)
{
	const struct report_table_row *flushes =
		page_op_row(p, REPORT_FLUSH);
	const struct report_sums *sums = flushes ? &flushes->sums : NULL;
	double seconds = (double)p->r->length / 1e9;
	char rate[FIGURE_TEXT_MAX], longest[FIGURE_TEXT_MAX];
	char count[FIGURE_TEXT_MAX];
	struct remark *one;

	if (!sums || !sums->count || seconds <= 0)
		return;
	one = remarks_add(to, REMARK_NOTE);
	if (!one)
		return;
	figure_text(rate, figure_decimal((double)sums->count / seconds));
	figure_text(longest, figure_time(
		(double)sums->spans[page_span(p)].max));
	snprintf(one->head, sizeof(one->head), "%s flushes per second", rate);
	figure_text(count, figure_count(sums->count));
	snprintf(one->text, sizeof(one->text), "%s in all; the longest took"
		 " %s.", count, longest);
}

/* adds them after warnings; ignores p's remarks */
static void summary_add(struct report_remarks *to, const struct report_page *p)
{
	add_slowest(to, p);
	add_busiest(to, p);
	add_flushes(to, p);
	remarks_sort(to);
}

/* --- making --------------------------------------------------------------- */

/* "Block I/O of vda, vdb", of devices that count */
static void make_title(struct making *m)
{
	const struct report_disks *disks = &m->page.r->disks;
	char name[PAGE_NAME_MAX];
	size_t len = (size_t)snprintf(m->title, MAKING_TITLE_MAX, "Block I/O");
	bool any = false;

	m->page.title = m->title;
	for (uint32_t i = 0; i < disks->there; i++) {
		if (!disks->list[disks->order[i]].on)
			continue;
		page_device(&m->page, i, name);
		if (len + strlen(name) + 8 > MAKING_TITLE_MAX)
			return;
		len += (size_t)snprintf(m->title + len, MAKING_TITLE_MAX - len,
					"%s%s", any ? ", " : " of ", name);
		any = true;
	}
}

void making_remark(struct making *m, const struct gathering *g,
		   const struct gathering *other)
{
	const struct remarks_of of = {
		.facts = &g->facts, .findings = g->findings,
		.other = other ? other->findings : NULL, .names = &g->names,
		.ios = m->tables.of[REPORT_ALL].rows[0].sums.count,
		.damage = g->damage_count ? g->damage[0] : "",
		.damages = g->damages,
		.start = g->facts.from, .length = g->facts.length,
		.has_gap = g->gap_count,
		.gap_from = g->gap_count ? g->gaps[0].from : 0,
		.gap_to = g->gap_count ? g->gaps[0].to : 0,
	};

	report_remarks_make(&m->remarks, &of);
	if (!other)
		summary_add(&m->remarks, &m->page);
}

static void fill_page(struct making *m, const struct gathering *g,
		      const struct making_options *o)
{
	const char *host = reader_host(g->facts.reader, 0);

	m->page = (struct report_page){
		.r = g->report, .tables = &m->tables, .blocks = &m->blocks,
		.facts = &g->facts, .remarks = &m->remarks,
		.commits = &g->commits,
		.capacity = g->capacity,
		.title = o->title, .host = host ? host : o->host,
		.program = o->program, .command = o->command,
		.input = o->input,
		.theme = o->theme,
		.damage = (const char *const *)g->damage,
		.damage_count = g->damage_count,
		.gaps = g->gaps, .gap_count = g->gap_count,
		.caches = g->o->cache ? &g->caches : NULL,
	};
}

static int make_rest(struct making *m, const struct gathering *g,
		     const struct making_options *o)
{
	int err = report_tables_make(&m->tables, g->report);

	if (err)
		return err;
	m->processes = report_folding_processes(&g->report->folding,
						&m->page.process_count);
	if (!m->processes)
		return -ENOMEM;
	m->page.processes = m->processes;
	if (!o->of_pair)
		making_remark(m, g, NULL);
	if (!m->page.title)
		make_title(m);
	return 0;
}

static void free_rest(struct making *m)
{
	free(m->processes);
	m->processes = NULL;
	report_tables_free(&m->tables);
}

/* Whether the file is small enough; *budget: the room for data. */
static int measure(const struct making *m, uint64_t size, bool *fits,
		   uint64_t *budget)
{
	uint64_t most = size + MAKING_BESIDE, beside;
	int err = report_html_beside(&m->page, &beside);

	if (err)
		return err;
	*budget = beside > most ? 0 : most - beside < size ? most - beside :
							     size;
	*fits = m->blocks.columns->text <= *budget;
	return 0;
}

int making_init(struct making *m, const struct gathering *g,
		const struct making_options *o)
{
	uint64_t budget = g->o->size;
	bool fits = o->of_pair;
	int err;

	*m = (struct making){ .processes = NULL };
	fill_page(m, g, o);
	err = report_blocks_make(&m->blocks, g->report, budget);
	while (!err) {
		err = make_rest(m, g, o);
		if (!err && !fits)
			err = measure(m, g->o->size, &fits, &budget);
		if (err || fits)
			return err;
		if (report_blocks_least(&m->blocks))
			return -ENOSPC;
		free_rest(m);
		err = report_blocks_less(&m->blocks, g->report, budget);
	}
	return err;
}

void making_free(struct making *m)
{
	free(m->processes);
	report_tables_free(&m->tables);
	report_blocks_free(&m->blocks);
}
