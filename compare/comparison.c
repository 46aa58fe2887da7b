/* SPDX-License-Identifier: GPL-2.0-only */
/* --compare; see comparison.h. */
#include <errno.h>
#include <stdlib.h>

#include "base/buf.h"
#include "compare/comparison.h"
#include "compare/comparison_rows.h"
#include "compare/comparison_text.h"

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

void comparison_csv(const struct comparison *c, struct buf *b, bool heading)
{
	comparison_rows_csv(&c->options, c->result, b, heading);
}

void comparison_json(const struct comparison *c, struct buf *b)
{
	comparison_rows_json(&c->options, c->result, b);
}

void comparison_free(struct comparison *c)
{
	if (!c)
		return;
	compare_free(c->compare);
	free(c);
}
