/* SPDX-License-Identifier: GPL-2.0-only */
/* A comparison's table and words; see comparison_text.h. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/escape.h"
#include "base/unit.h"
#include "emit/comparison_options.h"
#include "emit/comparison_rows.h"
#include "emit/comparison_text.h"

enum {
	NAME_ROOM = 18,		/* for the name of a side, in its line */
	NAME_MAX_SHOWN = 256,
	CELL_MAX = 32,
};

/* --- cells --------------------------------------------------------------- */

/* ns as a whole number; more than there is becomes the most there is */
static uint64_t whole(double ns)
{
	return ns >= 0x1p64 ? UINT64_MAX : ns > 0 ? (uint64_t)(ns + 0.5) : 0;
}

static void time_cell(double ns, char cell[CELL_MAX])
{
	char text[UNIT_MAX];

	unit_time(text, whole(ns));
	snprintf(cell, CELL_MAX, "%s", text);
}

static void signed_time(double ns, char cell[CELL_MAX])
{
	char text[UNIT_MAX];

	unit_time(text, whole(fabs(ns)));
	snprintf(cell, CELL_MAX, "%c%s", ns < 0 ? '-' : '+', text);
}

static void rate_cell(double rate, char cell[CELL_MAX])
{
	char text[UNIT_MAX];

	unit_decimal(text, whole(rate * 1000), 1000);
	snprintf(cell, CELL_MAX, "%s", text);
}

/* of ios that never were at a device, or of which that is not known: "-" */
static void depth_cell(double depth, char cell[CELL_MAX])
{
	if (depth > 0)
		snprintf(cell, CELL_MAX, "%.2f", depth);
	else
		snprintf(cell, CELL_MAX, "-");
}

static void value_cell(const struct compare_row *row, enum compare_side side,
		       char cell[CELL_MAX])
{
	if (row->kind == COMPARE_RATE)
		rate_cell(row->value[side], cell);
	else
		time_cell(row->value[side], cell);
}

/* what is 0 when it is rounded is not "-0.0%" */
static double no_less(double part)
{
	return fabs(part) < 0.0005 ? 0 : part;
}

/* "+21.9%"; what is ten thousand times as much is only said to be more */
static void change_cell(const struct compare_row *row, char cell[CELL_MAX])
{
	if (!row->comparable)
		snprintf(cell, CELL_MAX, "-");
	else if (row->change >= 100)
		snprintf(cell, CELL_MAX, ">9999%%");
	else
		snprintf(cell, CELL_MAX, "%+.1f%%", no_less(row->change) * 100);
}

/* an end of an interval: "-37%", "+1.2%" */
static void end_cell(double part, char cell[CELL_MAX])
{
	if (part >= 100)
		snprintf(cell, CELL_MAX, ">9999%%");
	else
		snprintf(cell, CELL_MAX, fabs(part) < 0.0995 ? "%+.1f%%" :
			 "%+.0f%%", no_less(part) * 100);
}

/* blanks at the end of a line are of no use */
static void add_line(struct buf *b, char *line)
{
	size_t len = strlen(line);

	while (len && line[len - 1] == ' ')
		line[--len] = 0;
	buf_printf(b, "%s\n", line);
}

/* --- the work ------------------------------------------------------------ */

static void print_other_rate(const struct compare_work *w, struct buf *b)
{
	char a[CELL_MAX], other[CELL_MAX];

	rate_cell(w->rate[COMPARE_A], a);
	rate_cell(w->rate[COMPARE_B], other);
	buf_printf(b, "  IO/s %s in A, %s in B\n", a, other);
}

static void print_other_depth(const struct compare_work *w, struct buf *b)
{
	char a[CELL_MAX], other[CELL_MAX];

	depth_cell(w->depth[COMPARE_A], a);
	depth_cell(w->depth[COMPARE_B], other);
	buf_printf(b, "  mean depth %s in A, %s in B\n", a, other);
}

/* how the mean's change comes about */
static void print_parts(const struct compare_work *w, struct buf *b)
{
	char all[CELL_MAX], work[CELL_MAX], speed[CELL_MAX];

	signed_time(w->mean[COMPARE_B] - w->mean[COMPARE_A], all);
	signed_time(w->by_work, work);
	signed_time(w->by_speed, speed);
	buf_printf(b, "  mean %s: %s other work, %s the same work at another "
		   "speed\n", all, work, speed);
}

/* Nothing below means much without this: it comes first. */
static void print_other_work(const struct compare_work *w, struct buf *b)
{
	if (!w->other_work && !w->other_rate && !w->other_depth)
		return;
	buf_printf(b, "the work is not the same:\n");
	if (w->other_work)
		buf_printf(b, "  %.0f%% of it is of other operations or "
			   "sizes\n", w->other * 100);
	if (w->other_rate)
		print_other_rate(w, b);
	if (w->other_depth)
		print_other_depth(w, b);
	print_parts(w, b);
}

/* --- the sides ----------------------------------------------------------- */

static void side_name(const struct comparison_options *o,
		      const struct compare_result *r, enum compare_side side,
		      const struct buf *b, char name[NAME_MAX_SHOWN])
{
	const char *given = o->name[side];
	int used = snprintf(name, NAME_MAX_SHOWN, "%u run%s ", r->runs[side],
			    r->runs[side] == 1 ? "" : "s");

	if (b->terminal)
		escape_text(name + used, NAME_MAX_SHOWN - (size_t)used, given,
			    strlen(given));
	else
		snprintf(name + used, NAME_MAX_SHOWN - (size_t)used, "%s",
			 given);
}

/* what stands at the end of a side's line */
static void side_remark(const struct compare_result *r, enum compare_side side,
			char remark[CELL_MAX])
{
	double other = ceil(r->work.other * 100);

	remark[0] = 0;
	if (side == COMPARE_B && r->unit != COMPARE_BY_NONE)
		snprintf(remark, CELL_MAX, "5 %% is for all rows together");
	if (side == COMPARE_A && !r->work.other_work)
		snprintf(remark, CELL_MAX, "work: the same within %.0f %%",
			 other > 1 ? other : 1);
}

static void print_side(const struct comparison_options *o,
		       const struct compare_result *r, enum compare_side side,
		       struct buf *b)
{
	char name[NAME_MAX_SHOWN], rate[CELL_MAX], remark[CELL_MAX];
	char line[NAME_MAX_SHOWN], depth[CELL_MAX];

	side_name(o, r, side, b, name);
	rate_cell(r->work.rate[side], rate);
	side_remark(r, side, remark);
	strcat(rate, "/s");
	buf_printf(b, "%c  ", "AB"[side]);
	if (strlen(name) > NAME_ROOM)
		buf_printf(b, "%s\n%*s", name, NAME_ROOM + 3, "");
	else
		buf_printf(b, "%-*s", NAME_ROOM, name);
	depth_cell(r->work.depth[side], depth);
	snprintf(line, sizeof(line), "%7s  mean depth %-10s%s", rate, depth,
		 remark);
	add_line(b, line);
}

static void print_unit(const struct compare_result *r, struct buf *b)
{
	if (r->unit == COMPARE_BY_SLICE)
		buf_printf(b, "one run each: whether these recordings differ, "
			   "not whether the systems do\n");
	if (r->unit == COMPARE_BY_NONE)
		buf_printf(b, "no verdict: %d runs a side are needed\n",
			   COMPARE_RUNS_LEAST);
}

/* --- tables -------------------------------------------------------------- */

static void print_heading(const struct comparison_options *o,
			  const struct compare_table *t, struct buf *b)
{
	char title[CELL_MAX], line[NAME_MAX_SHOWN];
	bool told = t->state == COMPARE_TOLD;
	bool interval = told || t->row[COMPARE_MEAN].interval;

	snprintf(title, sizeof(title), "%s%s%s", o->phase, t->all ? "" : " ",
		 t->all ? "" : io_op_name(t->op));
	snprintf(line, sizeof(line), "%-15sA%9s%10s%17s%s", title, "B",
		 "change", interval ? "95 % interval" : "",
		 told ? "   verdict" : "");
	add_line(b, line);
	if (t->state == COMPARE_CANNOT_TELL)
		buf_printf(b, "  cannot tell: the trace drifts, or is too "
			   "short\n");
}

static void interval_cell(const struct compare_row *row,
			  char cell[3 * CELL_MAX])
{
	char low[CELL_MAX], high[CELL_MAX];

	cell[0] = 0;
	if (!row->interval)
		return;
	end_cell(row->low, low);
	end_cell(row->high, high);
	snprintf(cell, 3 * CELL_MAX, "%8s .. %5s", low, high);
}

/* by how few deals a verdict is; what is less than 0.001 is not said */
static void p_cell(const struct compare_row *row, char cell[CELL_MAX])
{
	bool told = row->verdict == COMPARE_SLOWER ||
		    row->verdict == COMPARE_FASTER;

	cell[0] = 0;
	if (told)
		snprintf(cell, CELL_MAX, "p %.3f", fmax(row->p, 0.001));
}

static void print_row(const struct compare_table *t,
		      const struct compare_row *row, struct buf *b)
{
	char name[COMPARISON_NAME_MAX], a[CELL_MAX], other[CELL_MAX];
	char change[CELL_MAX], interval[3 * CELL_MAX], p[CELL_MAX];
	char line[NAME_MAX_SHOWN];

	comparison_row_name(row, name);
	value_cell(row, COMPARE_A, a);
	value_cell(row, COMPARE_B, other);
	change_cell(row, change);
	interval_cell(row, interval);
	p_cell(row, p);
	snprintf(line, sizeof(line), "  %-6s%8s%9s%10s%17s   %-12s%s", name, a,
		 other, change, interval,
		 t->state == COMPARE_TOLD ? comparison_verdict(t, row) : "", p);
	add_line(b, line);
}

/* --- phases -------------------------------------------------------------- */

static void print_phase(const char *name, const struct compare_phase *p,
			struct buf *b)
{
	char a[CELL_MAX], other[CELL_MAX], change[CELL_MAX];
	char shown[COMPARISON_NAME_MAX];

	time_cell(p->mean[COMPARE_A], a);
	time_cell(p->mean[COMPARE_B], other);
	signed_time(p->mean[COMPARE_B] - p->mean[COMPARE_A], change);
	snprintf(shown, sizeof(shown), "%s", name);
	for (char *at = shown; *at; at++)
		*at = (char)toupper((unsigned char)*at);
	buf_printf(b, "  %-10s%8s%9s%10s\n", shown, a, other, change);
}

/* less than 0.05 % of the whole is left out, as in other tables */
static bool is_worth_it(const struct compare_work *w, unsigned int phase)
{
	const double *mean = w->phase[phase].mean, *all = w->total.mean;

	return mean[COMPARE_A] > all[COMPARE_A] * 0.0005 ||
	       mean[COMPARE_B] > all[COMPARE_B] * 0.0005;
}

/* where an io's mean time goes: the phases add up to the total */
static void print_phases(const struct compare_work *w, struct buf *b)
{
	if (!w->total.count[COMPARE_A] || !w->total.count[COMPARE_B])
		return;
	buf_printf(b, "an io's mean   A        B    change\n");
	print_phase("q2c", &w->total, b);
	for (unsigned int i = 0; i < IO_PHASES; i++)
		if (is_worth_it(w, i))
			print_phase(io_phase_name(i), &w->phase[i], b);
}

void comparison_text(const struct comparison_options *o,
		     const struct compare_result *r, struct buf *b)
{
	print_other_work(&r->work, b);
	print_side(o, r, COMPARE_A, b);
	print_side(o, r, COMPARE_B, b);
	print_unit(r, b);
	if (!r->tables) {
		buf_printf(b, "no operation is in both\n");
		return;
	}
	for (unsigned int i = 0; i < r->tables; i++) {
		const struct compare_table *t = &r->table[i];

		print_heading(o, t, b);
		for (unsigned int row = 0; row < t->rows; row++)
			print_row(t, &t->row[row], b);
	}
	print_phases(&r->work, b);
}
