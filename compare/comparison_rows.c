/* SPDX-License-Identifier: GPL-2.0-only */
/* A comparison's rows for programs; see comparison_rows.h. */
#include <ctype.h>
#include <stdio.h>

#include "base/buf.h"
#include "compare/comparison_options.h"
#include "compare/comparison_rows.h"
#include "emit/sink.h"

/* of a phase's name, with its NUL */
enum { PHASE_MAX = 16 };

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

const char *comparison_verdict(const struct compare_row *row)
{
	static const char *const words[] = {
		[COMPARE_NO_VERDICT] = "no verdict",
		[COMPARE_SLOWER] = "slower", [COMPARE_FASTER] = "faster",
		[COMPARE_SAME] = "same",
		[COMPARE_NOT_SIGNIFICANT] = "not significant",
		[COMPARE_SEPARATED] = "separated",
	};

	return words[row->verdict];
}

/* --- values --------------------------------------------------------------- */

/* phases are lower case in files */
static void put_phase(struct sink *k, const char *phase)
{
	char text[PHASE_MAX];
	size_t i;

	for (i = 0; phase[i] && i < PHASE_MAX - 1; i++)
		text[i] = (char)tolower((unsigned char)phase[i]);
	text[i] = '\0';
	sink_text(k, "phase", text);
}

static void put_word(struct sink *k, const char *name, const char *word)
{
	if (*word)
		sink_text(k, name, word);
	else
		sink_none(k, name);
}

/* of 1: a change, a share */
static void put_part(struct sink *k, const char *name, bool known, double part)
{
	sink_real(k, name, known, part, 6);
}

static void put_ns(struct sink *k, const char *name, double ns)
{
	sink_real(k, name, true, ns, 0);
}

static void put_rate(struct sink *k, const char *name, double rate)
{
	sink_real(k, name, true, rate, 3);
}

/* --- rows ----------------------------------------------------------------- */

static void put_side(struct sink *k, const char *name,
		     const struct compare_row *row, enum compare_side side)
{
	if (row->kind == COMPARE_RATE)
		put_rate(k, name, row->value[side]);
	else
		put_ns(k, name, row->value[side]);
}

static void put_row(struct sink *k, const struct comparison_options *o,
		    const struct compare_table *t,
		    const struct compare_row *row)
{
	char name[COMPARISON_NAME_MAX];

	comparison_row_name(row, name);
	sink_row(k);
	sink_text(k, "key", t->all ? "all" : io_op_name(t->op));
	put_phase(k, o->phase);
	sink_text(k, "row", name);
	put_side(k, "a", row, COMPARE_A);
	put_side(k, "b", row, COMPARE_B);
	put_part(k, "change", row->comparable, row->change);
	put_part(k, "low", row->interval, row->low);
	put_part(k, "high", row->interval, row->high);
	sink_text(k, "verdict", comparison_verdict(row));
	put_part(k, "p", row->tested, row->p);
	sink_row_end(k);
}

static void put_rows(struct sink *k, const struct comparison_options *o,
		     const struct compare_result *r)
{
	for (unsigned int i = 0; i < r->tables; i++)
		for (unsigned int row = 0; row < r->table[i].rows; row++)
			put_row(k, o, &r->table[i], &r->table[i].row[row]);
}

void comparison_rows_csv(const struct comparison_options *o,
			 const struct compare_result *r, struct buf *b,
			 bool heading)
{
	const struct compare_table t = { .all = true };
	const struct compare_row row = { .kind = COMPARE_MEAN };
	struct sink k = { .b = b, .heading = true };

	if (heading)
		put_row(&k, o, &t, &row);
	k.heading = false;
	put_rows(&k, o, r);
}

/* --- json ----------------------------------------------------------------- */

static void put_run(struct sink *k, const char *name,
		    const struct comparison_options *o,
		    const struct compare_result *r, enum compare_side side)
{
	const struct compare_work *w = &r->work;

	sink_object(k, name);
	sink_text(k, "name", o->name[side]);
	sink_number(k, "runs", r->runs[side]);
	sink_number(k, "ios", w->count[side]);
	sink_real(k, "seconds", true, w->seconds[side], 9);
	put_rate(k, "rate", w->rate[side]);
	/* save files do not tell it */
	put_part(k, "depth", w->depth[side] > 0, w->depth[side]);
	put_ns(k, "mean", w->mean[side]);
	sink_object_end(k);
}

static void put_phases(struct sink *k, const struct compare_work *w)
{
	sink_array(k, "phases");
	for (unsigned int i = 0; i < IO_PHASES; i++) {
		const struct compare_phase *p = &w->phase[i];

		if (!p->count[COMPARE_A] && !p->count[COMPARE_B])
			continue;
		sink_row(k);
		sink_text(k, "phase", io_phase_name(i));
		put_ns(k, "a", p->mean[COMPARE_A]);
		put_ns(k, "b", p->mean[COMPARE_B]);
		sink_row_end(k);
	}
	sink_array_end(k);
}

static void put_work(struct sink *k, const struct compare_work *w)
{
	sink_object(k, "work");
	put_part(k, "other", true, w->other);
	sink_flag(k, "other_rate", w->other_rate);
	sink_flag(k, "other_depth", w->other_depth);
	put_ns(k, "by_work", w->by_work);
	put_ns(k, "by_speed", w->by_speed);
	put_phases(k, w);
	sink_object_end(k);
}

/* what each table detects, in its units */
static void put_powers(struct sink *k, const struct compare_result *r)
{
	sink_array(k, "power");
	for (unsigned int i = 0; i < r->tables; i++) {
		const struct compare_table *t = &r->table[i];
		bool known = t->power.known;

		sink_row(k);
		sink_text(k, "key", t->all ? "all" : io_op_name(t->op));
		sink_number(k, "units_a", t->units[COMPARE_A]);
		sink_number(k, "units_b", t->units[COMPARE_B]);
		put_part(k, "detects", known, t->power.detects);
		put_part(k, "aim", known, t->power.aim);
		sink_real(k, "needs", known && t->power.needs,
			  t->power.needs, 0);
		sink_row_end(k);
	}
	sink_array_end(k);
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
	struct sink k = { .b = b, .json = true, .one_line = true };

	sink_object(&k, NULL);
	put_phase(&k, o->phase);
	put_word(&k, "units", unit_name(r->unit));
	put_run(&k, "a", o, r, COMPARE_A);
	put_run(&k, "b", o, r, COMPARE_B);
	put_work(&k, &r->work);
	sink_array(&k, "rows");
	put_rows(&k, o, r);
	sink_array_end(&k);
	put_powers(&k, r);
	sink_object_end(&k);
	buf_append(b, "\n", 1);
}
