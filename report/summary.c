/* SPDX-License-Identifier: GPL-2.0-only */
/* What can be said of any run; see summary.h. */
#include <inttypes.h>
#include <stdio.h>

#include "report/figure.h"
#include "report/page.h"
#include "report/remarks.h"
#include "report/summary.h"

static const struct report_table_row *all_of(const struct report_page *p)
{
	return &p->tables->of[REPORT_ALL].rows[0];
}

/* the slowest is a warning if the median goes into it so often */
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
	page_person(p, row->person, name);
	snprintf(one->head, sizeof(one->head), "The slowest took %s: %s of"
		 " %s on %s", ns, things[row->op], size, device);
	snprintf(one->text, sizeof(one->text), "Queued at %" PRIu64 ".%06u" THIN
		 "s by %s, sector %s.", us / 1000000,
		 (unsigned int)(us % 1000000), name, at);
	one->from = begin;
	one->to = row->time + report_row_total(row);
	one->timed = one->from < one->to;
}

static void add_slowest(struct report_remarks *to, const struct report_page *p)
{
	const struct report_row *row = page_slow(p, 0);
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
	snprintf(one->head, sizeof(one->head), "%s moves %s of the data", name,
		 share);
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
	snprintf(one->head, sizeof(one->head), "%s flushes a second", rate);
	figure_text(count, figure_count(sums->count));
	snprintf(one->text, sizeof(one->text), "%s in all; the longest took"
		 " %s.", count, longest);
}

/* Notes stay behind warnings. */
void summary_add(struct report_remarks *to, const struct report_page *p)
{
	add_slowest(to, p);
	add_busiest(to, p);
	add_flushes(to, p);
	remarks_sort(to);
}
