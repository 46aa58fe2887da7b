/* SPDX-License-Identifier: GPL-2.0-only */
/* A comparison's rows for programs; see comparison_rows.h. */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>

#include "base/buf.h"
#include "tools/btstat/comparison_options.h"
#include "tools/btstat/comparison_rows.h"

/* what is put around and in place of what is not there */
struct style {
	const char *quote, *none;
};

static const struct style CSV = { "", "" }, JSON = { "\"", "null" };

void comparison_row_name(const struct compare_row *row,
			 char name[COMPARISON_NAME_MAX])
{
	static const char *const names[] = {
		[COMPARE_MEAN] = "mean", [COMPARE_RATE] = "IO/s",
	};

	if (row->kind < COMPARE_PERCENTILE)
		snprintf(name, COMPARISON_NAME_MAX, "%s", names[row->kind]);
	else
		snprintf(name, COMPARISON_NAME_MAX, "p%.8g",
			 row->percentile / 1000.0);
}

const char *comparison_verdict(const struct compare_table *t,
			       const struct compare_row *row)
{
	static const char *const words[] = {
		[COMPARE_NO_VERDICT] = "", [COMPARE_SLOWER] = "slower",
		[COMPARE_FASTER] = "faster", [COMPARE_SAME] = "same",
		[COMPARE_NOT_SHOWN] = "not shown",
	};

	return t->state == COMPARE_CANNOT_TELL ? "cannot tell" :
		words[row->verdict];
}

/* phases are lower case in files */
static void add_phase(const char *phase, const struct style *s, struct buf *b)
{
	buf_printf(b, "%s", s->quote);
	for (; *phase; phase++)
		buf_printf(b, "%c", tolower((unsigned char)*phase));
	buf_printf(b, "%s", s->quote);
}

static void add_text(const char *text, const struct style *s, struct buf *b)
{
	if (*text)
		buf_printf(b, "%s%s%s", s->quote, text, s->quote);
	else
		buf_printf(b, "%s", s->none);
}

static void add_part(bool there, double part, const struct style *s,
		     struct buf *b)
{
	if (there)
		buf_printf(b, "%.6f", part);
	else
		buf_printf(b, "%s", s->none);
}

/* ns, or ios a second */
static void add_value(const struct compare_row *row, enum compare_side side,
		      struct buf *b)
{
	if (row->kind == COMPARE_RATE)
		buf_printf(b, "%.3f", row->value[side]);
	else
		buf_printf(b, "%.0f", row->value[side]);
}

static const char *key_name(const struct compare_table *t)
{
	return t->all ? "all" : io_op_name(t->op);
}

/* --- csv ----------------------------------------------------------------- */

static void add_csv(const struct comparison_options *o,
		    const struct compare_table *t,
		    const struct compare_row *row, struct buf *b)
{
	char name[COMPARISON_NAME_MAX];

	comparison_row_name(row, name);
	buf_printf(b, "%s,", key_name(t));
	add_phase(o->phase, &CSV, b);
	buf_printf(b, ",%s,", name);
	add_value(row, COMPARE_A, b);
	buf_printf(b, ",");
	add_value(row, COMPARE_B, b);
	buf_printf(b, ",");
	add_part(row->comparable, row->change, &CSV, b);
	buf_printf(b, ",");
	add_part(row->interval, row->low, &CSV, b);
	buf_printf(b, ",");
	add_part(row->interval, row->high, &CSV, b);
	buf_printf(b, ",");
	add_text(comparison_verdict(t, row), &CSV, b);
	buf_printf(b, ",");
	add_part(row->tested, row->p, &CSV, b);
	buf_printf(b, "\n");
}

void comparison_rows_csv(const struct comparison_options *o,
			 const struct compare_result *r, struct buf *b,
			 bool heading)
{
	if (heading)
		buf_printf(b, "key,phase,row,a,b,change,low,high,verdict,p\n");
	for (unsigned int i = 0; i < r->tables; i++)
		for (unsigned int row = 0; row < r->table[i].rows; row++)
			add_csv(o, &r->table[i], &r->table[i].row[row], b);
}

/* --- json ---------------------------------------------------------------- */

/* What is no text in json is escaped; what is not ASCII stays as it is. */
static void add_string(const char *text, struct buf *b)
{
	buf_printf(b, "\"");
	for (; *text; text++) {
		unsigned char c = (unsigned char)*text;

		if (c == '"' || c == '\\')
			buf_printf(b, "\\%c", c);
		else if (c < ' ' || c == 0x7f)
			buf_printf(b, "\\u%04x", c);
		else
			buf_printf(b, "%c", c);
	}
	buf_printf(b, "\"");
}

static void add_side(const struct comparison_options *o,
		     const struct compare_result *r, enum compare_side side,
		     struct buf *b)
{
	buf_printf(b, "{\"name\":");
	add_string(o->name[side], b);
	buf_printf(b, ",\"runs\":%u,\"ios\":%" PRIu64 ",\"seconds\":%.9f,"
		   "\"rate\":%.3f,\"depth\":",
		   r->runs[side], r->work.count[side], r->work.seconds[side],
		   r->work.rate[side]);
	/* save files do not tell it */
	add_part(r->work.depth[side] > 0, r->work.depth[side], &JSON, b);
	buf_printf(b, ",\"mean\":%.0f}", r->work.mean[side]);
}

static void add_work(const struct compare_work *w, struct buf *b)
{
	buf_printf(b, "{\"other\":%.6f,\"other_rate\":%s,\"other_depth\":%s,"
		   "\"by_work\":%.0f,\"by_speed\":%.0f,\"phases\":[", w->other,
		   w->other_rate ? "true" : "false",
		   w->other_depth ? "true" : "false", w->by_work, w->by_speed);
	for (unsigned int i = 0, many = 0; i < IO_PHASES; i++) {
		const struct compare_phase *p = &w->phase[i];

		if (!p->count[COMPARE_A] && !p->count[COMPARE_B])
			continue;
		buf_printf(b, "%s{\"phase\":\"%s\",\"a\":%.0f,\"b\":%.0f}",
			   many++ ? "," : "", io_phase_name(i),
			   p->mean[COMPARE_A], p->mean[COMPARE_B]);
	}
	buf_printf(b, "]}");
}

static void add_json(const struct comparison_options *o,
		     const struct compare_table *t,
		     const struct compare_row *row, struct buf *b)
{
	char name[COMPARISON_NAME_MAX];

	comparison_row_name(row, name);
	buf_printf(b, "{\"key\":\"%s\",\"phase\":", key_name(t));
	add_phase(o->phase, &JSON, b);
	buf_printf(b, ",\"row\":\"%s\",\"a\":", name);
	add_value(row, COMPARE_A, b);
	buf_printf(b, ",\"b\":");
	add_value(row, COMPARE_B, b);
	buf_printf(b, ",\"change\":");
	add_part(row->comparable, row->change, &JSON, b);
	buf_printf(b, ",\"low\":");
	add_part(row->interval, row->low, &JSON, b);
	buf_printf(b, ",\"high\":");
	add_part(row->interval, row->high, &JSON, b);
	buf_printf(b, ",\"verdict\":");
	add_text(comparison_verdict(t, row), &JSON, b);
	buf_printf(b, ",\"p\":");
	add_part(row->tested, row->p, &JSON, b);
	buf_printf(b, "}");
}

static const char *unit_name(enum compare_unit unit)
{
	static const char *const names[] = {
		[COMPARE_BY_RUN] = "runs", [COMPARE_BY_SLICE] = "slices",
		[COMPARE_BY_NONE] = "",
	};

	return names[unit];
}

void comparison_rows_json(const struct comparison_options *o,
			  const struct compare_result *r, struct buf *b)
{
	unsigned int many = 0;

	buf_printf(b, "{\"phase\":");
	add_phase(o->phase, &JSON, b);
	buf_printf(b, ",\"units\":");
	add_text(unit_name(r->unit), &JSON, b);
	buf_printf(b, ",\"a\":");
	add_side(o, r, COMPARE_A, b);
	buf_printf(b, ",\"b\":");
	add_side(o, r, COMPARE_B, b);
	buf_printf(b, ",\"work\":");
	add_work(&r->work, b);
	buf_printf(b, ",\"rows\":[");
	for (unsigned int i = 0; i < r->tables; i++) {
		const struct compare_table *t = &r->table[i];

		for (unsigned int row = 0; row < t->rows; row++) {
			buf_printf(b, "%s", many++ ? "," : "");
			add_json(o, t, &t->row[row], b);
		}
	}
	buf_printf(b, "]}\n");
}
