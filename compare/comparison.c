/* SPDX-License-Identifier: GPL-2.0-only */
/* --compare; see comparison.h. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>

#include "base/buf.h"
#include "compare/comparison.h"
#include "compare/comparison_text.h"
#include "emit/sink.h"

/* of a phase's name, with its NUL */
enum { PHASE_MAX = 16 };

struct comparison {
	struct comparison_options options;
	struct compare *compare;
	const struct compare_result *result;	/* compare's */
};

int comparison_new(struct comparison **c, const struct comparison_options *o)
{
	int error;

	*c = calloc(1, sizeof(**c));
	if (!*c)
		return -ENOMEM;
	(*c)->options = *o;
	error = compare_new(&(*c)->compare, &o->compare);
	if (error)
		free(*c);
	return error;
}

int comparison_io(struct comparison *c, enum compare_side side,
		  unsigned int run, const struct io *io, uint64_t value)
{
	return compare_io(c->compare, side, run, io, value);
}

int comparison_histogram(struct comparison *c, enum compare_side side,
			 unsigned int run, enum io_op op, uint64_t from,
			 uint64_t until, const struct histogram *h)
{
	return compare_histogram(c->compare, side, run, op, from, until, h);
}

int comparison_end(struct comparison *c)
{
	return compare_end(c->compare, &c->result);
}

void comparison_get(const struct comparison *c, struct comparison_options *o,
		    const struct compare_result **r)
{
	*o = c->options;
	*r = c->result;
}

void comparison_free(struct comparison *c)
{
	if (!c)
		return;
	compare_free(c->compare);
	free(c);
}

/* --- the gate ------------------------------------------------------------- */

/* whether the interval rules out that B is slower by more than least */
static bool is_ruled_out(const struct compare_row *r, double least)
{
	if (!r->interval)
		return false;
	return r->kind == COMPARE_RATE ? r->low >= -least : r->high <= least;
}

static enum comparison_gate gate_row(const struct comparison *c,
				     const struct compare_row *r)
{
	switch (compare_direction(r)) {
	case COMPARE_SLOWER:
		return COMPARISON_SLOWER;
	case COMPARE_FASTER:
		return COMPARISON_PASSED;
	default:
		break;
	}
	if (r->verdict == COMPARE_SAME ||
	    (r->verdict == COMPARE_NOT_SIGNIFICANT &&
	     is_ruled_out(r, c->options.compare.least)))
		return COMPARISON_PASSED;
	return COMPARISON_UNDECIDED;
}

enum comparison_gate comparison_gate(const struct comparison *c)
{
	enum comparison_gate worst = COMPARISON_PASSED;

	for (unsigned int i = 0; i < c->result->tables; i++) {
		const struct compare_table *t = &c->result->table[i];

		for (unsigned int row = 0; row < t->rows; row++) {
			enum comparison_gate g = gate_row(c, &t->row[row]);

			worst = g > worst ? g : worst;
		}
	}
	return c->result->tables ? worst : COMPARISON_UNDECIDED;
}

/* the rows of a table that the gate comes from: "Q2C read: mean p50" */
static void print_rows(const struct comparison *c,
		       const struct compare_table *t, enum comparison_gate gate,
		       struct buf *b)
{
	char name[COMPARISON_NAME_MAX];
	bool any = false;

	for (unsigned int row = 0; row < t->rows; row++) {
		if (gate_row(c, &t->row[row]) != gate)
			continue;
		if (!any)
			buf_printf(b, "\n  %s %s:", c->options.phase,
				   t->all ? "all" : io_op_name(t->op));
		any = true;
		comparison_row_name(&t->row[row], name);
		buf_printf(b, " %s", name);
	}
}

void comparison_gate_print(const struct comparison *c, struct buf *b)
{
	static const char *const words[] = {
		[COMPARISON_PASSED] = "B is the same or faster",
		[COMPARISON_UNDECIDED] = "undecided whether B is slower",
		[COMPARISON_SLOWER] = "B is slower",
	};
	enum comparison_gate gate = comparison_gate(c);

	buf_printf(b, "gate: %s", words[gate]);
	if (gate != COMPARISON_PASSED)
		for (unsigned int i = 0; i < c->result->tables; i++)
			print_rows(c, &c->result->table[i], gate, b);
	buf_printf(b, "\n");
}

void comparison_print(const struct comparison *c, struct buf *b)
{
	comparison_text(&c->options, c->result, b);
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

void comparison_csv(const struct comparison *c, struct buf *b, bool heading)
{
	const struct compare_table t = { .all = true };
	const struct compare_row row = { .kind = COMPARE_MEAN };
	struct sink k = { .b = b, .heading = true };

	if (heading)
		put_row(&k, &c->options, &t, &row);
	k.heading = false;
	put_rows(&k, &c->options, c->result);
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

void comparison_json(const struct comparison *c, struct buf *b)
{
	const struct comparison_options *o = &c->options;
	const struct compare_result *r = c->result;
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
