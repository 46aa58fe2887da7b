/* SPDX-License-Identifier: GPL-2.0-only */
/* Tables for other programs; see sheets.h. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/escape.h"
#include "emit/row.h"
#include "report/page.h"
#include "report/sheets.h"
#include "stat/statistic.h"

enum { CELLS = 32, TEXTS = 3 };

/* a row that is being filled, cell by cell */
struct filling {
	struct cell cells[CELLS];
	unsigned int count, text_count;
	char texts[TEXTS][UTF8_MAX * PAGE_NAME_MAX];
};

static void put_number(struct filling *f, uint64_t n)
{
	f->cells[f->count++] = (struct cell){
		.number = n < INT64_MAX ? (int64_t)n : INT64_MAX,
	};
}

static void put_known(struct filling *f, bool known, uint64_t n)
{
	if (known)
		put_number(f, n);
	else
		f->cells[f->count++] = (struct cell){ .null = true };
}

/* from outside, PAGE_NAME_MAX at most with its NUL */
static void put_text(struct filling *f, const char *text)
{
	char *to = f->texts[f->text_count++];

	f->cells[f->count++] = (struct cell){
		.text = to,
		.len = (uint32_t)utf8_clean(to, sizeof(f->texts[0]), text,
					    strlen(text)),
	};
}

static void put_mean(struct filling *f, const struct wide *sum, uint64_t count)
{
	put_known(f, count, count ? wide_over(*sum, count).low : 0);
}

#define TEXT(name, words) { name, COLUMN_TEXT, false, "", words }
#define NUMBER(name, unit, words) { name, COLUMN_INT64, true, unit, words }

/* --- tables --------------------------------------------------------------- */

#define Q2C_STATISTIC(name, word, ...) NUMBER("q2c_" word "_ns", "ns", ""),
#define D2C_STATISTIC(name, word, ...) NUMBER("d2c_" word "_ns", "ns", ""),

static const struct column table_columns[] = {
	TEXT("name", "name of the row"),
	NUMBER("ios", "", "completed"),
	NUMBER("bytes", "bytes", "read and written; by operation all"),
	NUMBER("errors", "", "failed"),
	NUMBER("merged", "", "merged into others' requests"),
	NUMBER("q2g_ns", "ns", "mean, until the request"),
	NUMBER("g2i_ns", "ns", "mean, until the scheduler, or merged"),
	NUMBER("i2d_ns", "ns", "mean, until the driver"),
	NUMBER("device_ns", "ns", "mean, until the end"),
	NUMBER("q2c_count", "", "I/Os with Q2C"),
	STATISTIC_ROWS(Q2C_STATISTIC)
	NUMBER("q2c_p50_ns", "ns", ""), NUMBER("q2c_p90_ns", "ns", ""),
	NUMBER("q2c_p99_ns", "ns", ""), NUMBER("q2c_p99_9_ns", "ns", ""),
	NUMBER("d2c_count", "", "I/Os with D2C"),
	STATISTIC_ROWS(D2C_STATISTIC)
	NUMBER("d2c_p50_ns", "ns", ""), NUMBER("d2c_p90_ns", "ns", ""),
	NUMBER("d2c_p99_ns", "ns", ""), NUMBER("d2c_p99_9_ns", "ns", ""),
};

static void put_span(struct filling *f, const struct report_table_row *row,
		     enum report_span span)
{
	const struct histogram *h = &row->sums.spans[span];
	uint64_t values[STATISTICS];

	put_number(f, h->count);
	statistics_of(h, values);
	for (unsigned int i = 0; i < STATISTICS; i++)
		put_known(f, values[i] != STATISTIC_NONE, values[i]);
	for (unsigned int i = 0; i < REPORT_PERCENTILES; i++)
		put_known(f, h->count, row->percentiles[span][i]);
}

static void fill_table_row(struct filling *f, const char *name,
			   const struct report_table_row *row)
{
	const struct report_sums *s = &row->sums;

	f->count = f->text_count = 0;
	put_text(f, name);
	put_number(f, s->count);
	put_number(f, row->bytes);
	put_number(f, s->errors);
	put_number(f, s->merged);
	for (unsigned int i = 0; i < REPORT_PHASES; i++)
		put_mean(f, &s->phases[i], s->count);
	put_span(f, row, REPORT_Q2C);
	put_span(f, row, REPORT_D2C);
}

static const char *name_row(const struct report_page *p, unsigned int kind,
			    uint64_t key, char text[PAGE_NAME_MAX])
{
	const char *path;

	switch (kind) {
	case REPORT_BY_OP:
		return page_op_name((unsigned int)key);
	case REPORT_BY_PROCESS:
		return page_process(p, page_process_index(p, (uint32_t)key),
				    text);
	case REPORT_BY_DISK:
		return page_device(p, page_device_index(p, (uint32_t)key),
				   text);
	default:
		path = page_cgroup_path(p, key);
		return path ? path : page_cgroup(p, key, text);
	}
}

static int write_table(const struct report_page *p, const struct row_ops *ops,
		       struct row_writer *w, unsigned int kind)
{
	const struct report_table *t = &p->tables->of[kind];
	char text[PAGE_NAME_MAX];
	struct filling f;
	int err = 0;

	for (uint32_t i = 0; !err && i < t->count; i++) {
		fill_table_row(&f, name_row(p, kind, t->rows[i].key, text),
			       &t->rows[i]);
		err = ops->row(w, f.cells);
	}
	return err;
}

static int write_operations(const struct report_page *p,
			    const struct row_ops *ops, struct row_writer *w)
{
	return write_table(p, ops, w, REPORT_BY_OP);
}

static int write_processes(const struct report_page *p,
			   const struct row_ops *ops, struct row_writer *w)
{
	return write_table(p, ops, w, REPORT_BY_PROCESS);
}

static int write_devices(const struct report_page *p,
			 const struct row_ops *ops, struct row_writer *w)
{
	return write_table(p, ops, w, REPORT_BY_DISK);
}

static int write_cgroups(const struct report_page *p,
			 const struct row_ops *ops, struct row_writer *w)
{
	return write_table(p, ops, w, REPORT_BY_CGROUP);
}

/* --- by time -------------------------------------------------------------- */

static const struct column series_columns[] = {
	NUMBER("from_ns", "ns", "start of the bin"),
	NUMBER("length_ns", "ns", "length of the bin"),
	TEXT("operation", "read, write, ..."),
	NUMBER("ios", "", "completed"),
	NUMBER("bytes", "bytes", "of these"),
	NUMBER("q2g_ns", "ns", "sum, until the request"),
	NUMBER("g2i_ns", "ns", "sum, until the scheduler, or merged"),
	NUMBER("i2d_ns", "ns", "sum, until the driver"),
	NUMBER("device_ns", "ns", "sum, until the end"),
	NUMBER("q2c_max_ns", "ns", ""), NUMBER("d2c_max_ns", "ns", ""),
	NUMBER("busy_ns", "ns", "sum of times in the device"),
};

/* what one bin has of an operation, on devices that count */
static struct scalar sum_op(const struct report_page *p,
			    const struct scalar_bin *b, unsigned int op)
{
	struct scalar sum = { .ios = 0 };

	for (uint32_t i = 0; i < b->count; i++) {
		const struct report_stream *s =
			&p->r->folding.list[b->list[i].stream];

		if (s->op == op && p->r->disks.list[s->disk].on)
			scalar_join(&sum, &b->list[i]);
	}
	return sum;
}

static void fill_series_row(struct filling *f, const struct scalar *s,
			    unsigned int op, uint64_t from, uint64_t length)
{
	f->count = f->text_count = 0;
	put_number(f, from);
	put_number(f, length);
	put_text(f, page_op_name(op));
	put_number(f, s->ios);
	put_number(f, s->blocks << 9);
	for (unsigned int i = 0; i < REPORT_PHASES; i++)
		put_number(f, s->phases[i]);
	put_number(f, s->q2c);
	put_number(f, s->d2c);
	put_number(f, s->busy);
}

static int write_bins(const struct report_page *p, const struct row_ops *ops,
		      struct row_writer *w, const struct scalars *s)
{
	struct filling f;
	int err = 0;

	for (uint32_t i = 0; i < s->count; i++)
		for (unsigned int op = 0; !err && op < REPORT_OPS; op++) {
			struct scalar sum = sum_op(p, &s->bins[i], op);
			uint64_t from = i * s->width;
			uint64_t left = p->r->length - from;

			if (!sum.ios && !sum.busy)
				continue;
			fill_series_row(&f, &sum, op, from,
					left < s->width ? left : s->width);
			err = ops->row(w, f.cells);
		}
	return err;
}

/* of rows, as the cube would have them */
static int sum_rows(const struct report_page *p, struct scalars *s)
{
	int err = 0;

	for (size_t i = 0; !err && i < p->r->rows.count; i++) {
		const struct report_row *row = &p->r->rows.list[i];
		struct report_times t;

		if (!report_row_ended(row))
			continue;
		report_row_times(&t, row);
		err = scalars_add(s, row->stream, row, &t);
		err |= scalars_add_busy(s, row->stream, t.issued, t.end);
	}
	return err;
}

static int write_series(const struct report_page *p, const struct row_ops *ops,
			struct row_writer *w)
{
	struct scalars s;
	int err;

	if (!p->blocks->exact)
		return write_bins(p, ops, w, &p->r->cube.scalars);
	err = scalars_init(&s, page_bin_width(p), REPORT_BINS);
	if (!err)
		err = sum_rows(p, &s);
	if (!err)
		err = write_bins(p, ops, w, &s);
	scalars_free(&s);
	return err;
}

/* --- the slowest ---------------------------------------------------------- */

static const struct column slowest_columns[] = {
	NUMBER("time_ns", "ns", "time of Q"),
	TEXT("operation", "read, write, ..."), TEXT("device", ""),
	NUMBER("sector", "sectors of 512 bytes", ""),
	NUMBER("bytes", "bytes", ""), TEXT("process", ""),
	NUMBER("q2d_ns", "ns", ""), NUMBER("d2c_ns", "ns", ""),
	NUMBER("q2c_ns", "ns", ""), NUMBER("errno", "", "0: none"),
};

static void put_row_span(struct filling *f, const struct report_row *row,
			 enum report_span span)
{
	uint64_t ns = 0;
	bool known = report_row_span(row, span, &ns);

	put_known(f, known, ns);
}

static int write_slowest(const struct report_page *p, const struct row_ops *ops,
			 struct row_writer *w)
{
	char device[PAGE_NAME_MAX], process[PAGE_NAME_MAX];
	const struct report_row *row;
	struct page_turn turn = { 0 };
	int err = 0;

	while (!err && (row = page_next_slow(p, &turn))) {
		uint32_t disk = p->r->folding.list[row->stream].disk;
		struct filling f;

		f.count = f.text_count = 0;
		f.cells[f.count++] = (struct cell){
			.number = (int64_t)row->time,
		};
		put_text(&f, page_op_name(row->op));
		put_text(&f, page_device(p, page_device_index(p, disk),
					 device));
		put_number(&f, row->sector);
		put_number(&f, (uint64_t)row->blocks << 9);
		page_pid(p, row->pid, process);
		put_text(&f, process);
		put_row_span(&f, row, REPORT_Q2D);
		put_row_span(&f, row, REPORT_D2C);
		put_row_span(&f, row, REPORT_Q2C);
		put_number(&f, row->error);
		err = ops->row(w, f.cells);
	}
	return err;
}

/* --- sheets --------------------------------------------------------------- */

#define COLUMNS(list) list, sizeof(list) / sizeof((list)[0])

static const struct {
	const char *name;
	const struct column *columns;
	unsigned int count;
	int (*write)(const struct report_page *p, const struct row_ops *ops,
		     struct row_writer *w);
} sheets[SHEETS] = {
	[SHEET_SERIES] = { "series", COLUMNS(series_columns), write_series },
	[SHEET_OPERATIONS] = { "operations", COLUMNS(table_columns),
			       write_operations },
	[SHEET_PROCESSES] = { "processes", COLUMNS(table_columns),
			      write_processes },
	[SHEET_DEVICES] = { "devices", COLUMNS(table_columns), write_devices },
	[SHEET_CGROUPS] = { "cgroups", COLUMNS(table_columns), write_cgroups },
	[SHEET_SLOWEST] = { "slowest", COLUMNS(slowest_columns),
			    write_slowest },
};

const char *sheet_name(enum sheet sheet)
{
	return sheets[sheet].name;
}

int sheet_write(enum sheet sheet, const struct report_page *p,
		const struct row_ops *ops, struct buf *b)
{
	const struct column *columns[CELLS];
	const struct row_shape shape = {
		.table = sheets[sheet].name, .columns = columns,
		.count = sheets[sheet].count,
	};
	const struct row_options o = { .header = true };
	struct row_writer *w = NULL;
	int err;

	for (unsigned int i = 0; i < shape.count; i++)
		columns[i] = &sheets[sheet].columns[i];
	err = ops->open(&w, b, &shape, &o);
	if (!err)
		err = sheets[sheet].write(p, ops, w);
	if (!err)
		err = ops->end(w);
	ops->free(w);
	return err;
}
