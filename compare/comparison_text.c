/* SPDX-License-Identifier: GPL-2.0-only */
/* A comparison's table and words; see comparison_text.h. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/escape.h"
#include "compare/comparison_cells.h"
#include "compare/comparison_options.h"
#include "compare/comparison_rows.h"
#include "compare/comparison_text.h"

enum {
	NAME_ROOM = 18,		/* for the name of a side, in its line */
	NAME_MAX_SHOWN = 256,
};

/* blanks at the end of a line are of no use */
static void add_line(struct buf *b, char *line)
{
	size_t len = strlen(line);

	while (len && line[len - 1] == ' ')
		line[--len] = 0;
	buf_printf(b, "%s\n", line);
}

/* in percent: how much of the work is the same */
static double same_within(const struct compare_work *w)
{
	return fmax(1, ceil(w->other * 100));
}

static bool workloads_differ(const struct compare_work *w)
{
	return w->other_work || w->other_rate || w->other_depth;
}

/* --- the work ------------------------------------------------------------ */

static void print_other_rate(const struct compare_work *w, struct buf *b)
{
	char a[COMPARISON_CELL_MAX], other[COMPARISON_CELL_MAX];

	comparison_rate(w->rate[COMPARE_A], a);
	comparison_rate(w->rate[COMPARE_B], other);
	buf_printf(b, "  IO/s %s in A, %s in B\n", a, other);
}

static void print_other_depth(const struct compare_work *w, struct buf *b)
{
	char a[COMPARISON_CELL_MAX], other[COMPARISON_CELL_MAX];

	comparison_depth(w->depth[COMPARE_A], a);
	comparison_depth(w->depth[COMPARE_B], other);
	buf_printf(b, "  queue depth %s in A, %s in B\n", a, other);
}

/* how the mean's change comes about */
static void print_parts(const struct compare_work *w, struct buf *b)
{
	char all[COMPARISON_CELL_MAX], work[COMPARISON_CELL_MAX];
	char speed[COMPARISON_CELL_MAX];

	comparison_signed(w->mean[COMPARE_B] - w->mean[COMPARE_A], all);
	comparison_signed(w->by_work, work);
	comparison_signed(w->by_speed, speed);
	buf_printf(b, "  mean %s: %s from different I/O, %s from "
		   "different speed\n", all, work, speed);
}

/* Nothing below means much without this: it comes first. */
void comparison_text_work(const struct compare_work *w, struct buf *b)
{
	if (!workloads_differ(w))
		return;
	buf_printf(b, "the workloads differ:\n");
	if (w->other_work)
		buf_printf(b, "  %.0f%% of I/O differs in operation or size\n", w->other * 100);
	else
		buf_printf(b, "  operations and sizes: same within %.0f%%\n",
			   same_within(w));
	if (w->other_rate)
		print_other_rate(w, b);
	if (w->other_depth)
		print_other_depth(w, b);
	print_parts(w, b);
}

/* --- the sides ----------------------------------------------------------- */

static void side_name(const struct comparison_options *o,
		      const struct compare_result *r, enum compare_side side,
		      char name[NAME_MAX_SHOWN])
{
	const char *given = o->name[side];
	int used = snprintf(name, NAME_MAX_SHOWN, "%u run%s ", r->runs[side],
			    r->runs[side] == 1 ? "" : "s");

	escape_text(name + used, NAME_MAX_SHOWN - (size_t)used, given,
		    strlen(given));
}

/* what stands at the end of a side's line */
static void side_remark(const struct compare_result *r, enum compare_side side,
			char remark[COMPARISON_CELL_MAX])
{
	remark[0] = 0;
	if (side == COMPARE_B && r->unit != COMPARE_BY_NONE)
		snprintf(remark, COMPARISON_CELL_MAX,
			 "p covers all rows together");
	if (side == COMPARE_A && !workloads_differ(&r->work))
		snprintf(remark, COMPARISON_CELL_MAX,
			 "workload: same within %.0f%%", same_within(&r->work));
}

static void print_side(const struct comparison_options *o,
		       const struct compare_result *r, enum compare_side side,
		       struct buf *b)
{
	char name[NAME_MAX_SHOWN], rate[COMPARISON_CELL_MAX];
	char remark[COMPARISON_CELL_MAX];
	char line[NAME_MAX_SHOWN], depth[COMPARISON_CELL_MAX];

	side_name(o, r, side, name);
	comparison_rate(r->work.rate[side], rate);
	side_remark(r, side, remark);
	strcat(rate, "/s");
	buf_printf(b, "%c  ", "AB"[side]);
	if (strlen(name) > NAME_ROOM)
		buf_printf(b, "%s\n%*s", name, NAME_ROOM + 3, "");
	else
		buf_printf(b, "%-*s", NAME_ROOM, name);
	comparison_depth(r->work.depth[side], depth);
	snprintf(line, sizeof(line), "%7s  queue depth %-10s%s", rate, depth,
		 remark);
	add_line(b, line);
}

void comparison_text_unit(const struct compare_result *r, struct buf *b)
{
	if (r->unit == COMPARE_BY_SLICE)
		buf_printf(b, "one run per side: this compares two recordings, "
			   "not two systems\n  (use %d or more runs per side "
			   "for that)\n", COMPARE_RUNS_LEAST);
	if (r->unit == COMPARE_BY_NONE)
		buf_printf(b, "no verdict: %d runs per side are needed\n",
			   COMPARE_RUNS_LEAST);
}

/* --- tables -------------------------------------------------------------- */

static void print_heading(const struct comparison_options *o,
			  const struct compare_table *t, struct buf *b)
{
	char title[COMPARISON_CELL_MAX], line[NAME_MAX_SHOWN];
	bool judged = t->state == COMPARE_JUDGED;
	bool interval = judged || t->row[COMPARE_MEAN].interval;

	snprintf(title, sizeof(title), "%s%s%s", o->phase, t->all ? "" : " ",
		 t->all ? "" : io_op_name(t->op));
	snprintf(line, sizeof(line), "%-15sA%9s%10s%17s%s", title, "B",
		 "change", interval ? "95% interval" : "",
		 t->state == COMPARE_FEW_RUNS ? "" : "   verdict");
	add_line(b, line);
	if (t->state == COMPARE_DRIFTS)
		buf_printf(b, "  %s\n", comparison_drifts);
	if (comparison_has_separated(t))
		buf_printf(b, "  %s\n", comparison_separated);
}

static void print_row(const struct compare_table *t,
		      const struct compare_row *row, struct buf *b)
{
	struct comparison_cells c;
	char line[NAME_MAX_SHOWN];

	comparison_cells(row, &c);
	snprintf(line, sizeof(line), "  %-6s%8s%9s%10s%17s   %-12s%s", c.name,
		 c.value[COMPARE_A], c.value[COMPARE_B], c.change, c.interval,
		 t->state == COMPARE_FEW_RUNS ? "" : c.verdict, c.p);
	add_line(b, line);
}

static void print_power(const struct compare_table *t, enum compare_unit unit,
			struct buf *b)
{
	char text[COMPARISON_POWER_MAX];

	comparison_power(t, unit, text);
	buf_printf(b, "  %s\n", text);
}

/* --- phases -------------------------------------------------------------- */

static void print_phase(const char *name, const struct compare_phase *p,
			struct buf *b)
{
	char a[COMPARISON_CELL_MAX], other[COMPARISON_CELL_MAX];
	char change[COMPARISON_CELL_MAX];
	char shown[COMPARISON_NAME_MAX];

	comparison_time(p->mean[COMPARE_A], a);
	comparison_time(p->mean[COMPARE_B], other);
	comparison_signed(p->mean[COMPARE_B] - p->mean[COMPARE_A], change);
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
	buf_printf(b, "mean per I/O   A        B    change\n");
	print_phase("q2c", &w->total, b);
	for (unsigned int i = 0; i < IO_PHASES; i++)
		if (is_worth_it(w, i))
			print_phase(io_phase_name(i), &w->phase[i], b);
}

void comparison_text(const struct comparison_options *o,
		     const struct compare_result *r, struct buf *b)
{
	comparison_text_work(&r->work, b);
	print_side(o, r, COMPARE_A, b);
	print_side(o, r, COMPARE_B, b);
	comparison_text_unit(r, b);
	if (!r->tables) {
		buf_printf(b, "%s\n", comparison_nothing);
		return;
	}
	for (unsigned int i = 0; i < r->tables; i++) {
		const struct compare_table *t = &r->table[i];

		print_heading(o, t, b);
		for (unsigned int row = 0; row < t->rows; row++)
			print_row(t, &t->row[row], b);
		print_power(t, r->unit, b);
	}
	print_phases(&r->work, b);
}
