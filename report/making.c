/* SPDX-License-Identifier: GPL-2.0-only */
/* A page that is made; see making.h. */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/columns.h"
#include "report/gathering.h"
#include "report/html.h"
#include "report/making.h"
#include "report/report.h"
#include "report/summary.h"
#include "run/reader.h"

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
		.title = o->title, .host = host ? host : o->host,
		.program = o->program, .command = o->command,
		.theme = o->theme,
		.damage = (const char *const *)g->damage,
		.damage_count = g->damage_count,
		.gaps = g->gaps, .gap_count = g->gap_count,
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

/* Whether the file is as small as it has to be; *budget: what there is for data
 * beside all else. */
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
