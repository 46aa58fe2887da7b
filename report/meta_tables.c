/* SPDX-License-Identifier: GPL-2.0-only */
/* Tables and the slowest as JSON; see meta.h. */
#include "base/json.h"
#include "report/meta.h"
#include "report/page.h"
#include "stat/statistic.h"

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
} names[REPORT_TABLES] = {
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
		json_put_null(j, names[kind].key);
	else
		json_put_number(j, names[kind].key, key_of(p, kind, key));
	if (kind == REPORT_BY_CGROUP)
		json_put_string(j, "path", path);
}

static void put_table(const struct report_page *p, struct json *j,
		      unsigned int kind)
{
	const struct report_table *t = &p->tables->of[kind];

	json_put_array(j, names[kind].table);
	for (uint32_t i = 0; i < t->count; i++) {
		json_put_object(j, NULL);
		put_row(p, j, &t->rows[i]);
		put_key(p, j, kind, t->rows[i].key);
		json_put_object_end(j);
	}
	json_put_array_end(j);
}

void meta_tables_write(const struct report_page *p, struct json *j)
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

void meta_slowest_write(const struct report_page *p, struct json *j)
{
	const struct report_row *row;

	json_put_array(j, "slowest");
	for (unsigned int i = 0; (row = page_slow(p, i)); i++)
		put_slow(j, row);
	json_put_array_end(j);
}
