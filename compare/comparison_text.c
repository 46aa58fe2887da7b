/* SPDX-License-Identifier: GPL-2.0-only */
/* A comparison for people; see comparison_text.h. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/escape.h"
#include "base/unit.h"
#include "compare/comparison_text.h"

const char comparison_drifts[] = "latency drifts within a run, or the run is"
				 " too short";
const char comparison_separated[] = "separated: no slice of one run overlaps"
				    " the other run's; no p value";
const char comparison_nothing[] = "no operation occurs on both sides";

/* --- cells --------------------------------------------------------------- */

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

/* ns as a whole number, at most UINT64_MAX */
static uint64_t whole(double ns)
{
	return ns >= 0x1p64 ? UINT64_MAX : ns > 0 ? (uint64_t)(ns + 0.5) : 0;
}

static void time_cell(double ns, char cell[COMPARISON_CELL_MAX])
{
	char text[UNIT_MAX];

	unit_time(text, whole(ns));
	snprintf(cell, COMPARISON_CELL_MAX, "%s", text);
}

static void signed_cell(double ns, bool page, char cell[COMPARISON_CELL_MAX])
{
	char text[UNIT_SPACED_MAX];

	unit_time(text, whole(fabs(ns)));
	if (page)
		unit_space(text);
	snprintf(cell, COMPARISON_CELL_MAX, "%c%s", ns < 0 ? '-' : '+', text);
}

static void rate_cell(double rate, char cell[COMPARISON_CELL_MAX])
{
	char text[UNIT_MAX];

	unit_decimal(text, whole(rate * 1000), 1000);
	snprintf(cell, COMPARISON_CELL_MAX, "%s", text);
}

/* of ios that never were at a device, or of which that is not known: "-" */
static void depth_cell(double depth, char cell[COMPARISON_CELL_MAX])
{
	if (depth > 0)
		snprintf(cell, COMPARISON_CELL_MAX, "%.2f", depth);
	else
		snprintf(cell, COMPARISON_CELL_MAX, "-");
}

static void value_cell(const struct compare_row *row, enum compare_side side,
		       char cell[COMPARISON_CELL_MAX])
{
	if (row->kind == COMPARE_RATE)
		rate_cell(row->value[side], cell);
	else
		time_cell(row->value[side], cell);
}

/* no "-0.0%" after rounding */
static double no_less(double part)
{
	return fabs(part) < 0.0005 ? 0 : part;
}

/* "+21.9%", ">9999%" */
void comparison_change(bool comparable, double change,
		       char cell[COMPARISON_CELL_MAX])
{
	if (!comparable)
		snprintf(cell, COMPARISON_CELL_MAX, "-");
	else if (change >= 100)
		snprintf(cell, COMPARISON_CELL_MAX, ">9999%%");
	else
		snprintf(cell, COMPARISON_CELL_MAX, "%+.1f%%",
			 no_less(change) * 100);
}

/* an end of an interval: "-37%", "+1.2%" */
static void end_cell(double part, char cell[COMPARISON_CELL_MAX])
{
	if (part >= 100)
		snprintf(cell, COMPARISON_CELL_MAX, ">9999%%");
	else
		snprintf(cell, COMPARISON_CELL_MAX,
			 fabs(part) < 0.0995 ? "%+.1f%%" : "%+.0f%%",
			 no_less(part) * 100);
}

static void interval_cell(const struct compare_row *row,
			  char cell[3 * COMPARISON_CELL_MAX])
{
	char low[COMPARISON_CELL_MAX], high[COMPARISON_CELL_MAX];

	cell[0] = 0;
	if (!row->interval)
		return;
	end_cell(row->low, low);
	end_cell(row->high, high);
	snprintf(cell, 3 * COMPARISON_CELL_MAX, "%8s .. %5s", low, high);
}

/* the p of a verdict, at least 0.001 */
static void p_cell(const struct compare_row *row,
		   char cell[COMPARISON_CELL_MAX])
{
	bool told = row->verdict == COMPARE_SLOWER ||
		    row->verdict == COMPARE_FASTER;

	cell[0] = 0;
	if (told)
		snprintf(cell, COMPARISON_CELL_MAX, "p %.3f",
			 fmax(row->p, 0.001));
}

void comparison_cells(const struct compare_row *row, struct comparison_cells *c)
{
	comparison_row_name(row, c->name);
	value_cell(row, COMPARE_A, c->value[COMPARE_A]);
	value_cell(row, COMPARE_B, c->value[COMPARE_B]);
	comparison_change(row->comparable, row->change, c->change);
	interval_cell(row, c->interval);
	p_cell(row, c->p);
	c->verdict = comparison_verdict(row);
}

bool comparison_has_separated(const struct compare_table *t)
{
	for (unsigned int row = 0; row < t->rows; row++)
		if (t->row[row].verdict == COMPARE_SEPARATED)
			return true;
	return false;
}

/* --- power ---------------------------------------------------------------- */

/* more times as long is no plan */
enum { LONGEST = 100 };

/* "12%", "3.4%", "<0.1%", ">100%": no more is promised than that */
static void percent_cell(double part, char cell[COMPARISON_CELL_MAX])
{
	if (part < 0.001)
		snprintf(cell, COMPARISON_CELL_MAX, "<0.1%%");
	else if (part > 1)
		snprintf(cell, COMPARISON_CELL_MAX, ">100%%");
	else
		snprintf(cell, COMPARISON_CELL_MAX, part < 0.0995 ? "%.2g%%" :
			 "%.0f%%", part * 100);
}

/* how many times as long a run of slices must be; 0: more than LONGEST */
static unsigned int times_as_long(const struct compare_table *t)
{
	unsigned int needs = t->power.needs, has = t->units[COMPARE_A];

	return needs && needs / has < LONGEST ? (needs + has - 1) / has : 0;
}

/* what a smaller change needs: "; 5% needs 9 per side" */
static void add_needs(const struct compare_table *t, enum compare_unit unit,
		      char *text, size_t size)
{
	const struct compare_power *p = &t->power;
	unsigned int times = times_as_long(t);
	char aim[COMPARISON_CELL_MAX];

	percent_cell(p->aim, aim);
	if (unit == COMPARE_BY_SLICE)
		snprintf(text, size, "; %s needs runs %s%u times as long", aim,
			 times ? "" : ">", times ? times : LONGEST);
	else if (p->needs && p->needs <= COMPARE_RUNS_MAX)
		snprintf(text, size, "; %s needs %u per side", aim, p->needs);
	else
		snprintf(text, size, "; %s needs >%u per side", aim,
			 COMPARE_RUNS_MAX);
}

void comparison_power(const struct compare_table *t, enum compare_unit unit,
		      char text[COMPARISON_POWER_MAX])
{
	const struct compare_power *p = &t->power;
	char detects[COMPARISON_CELL_MAX];
	int len;

	if (!p->known) {
		snprintf(text, COMPARISON_POWER_MAX, "power unknown: use %u or"
			 " more runs per side", COMPARE_RUNS_LEAST);
		return;
	}
	percent_cell(p->detects, detects);
	len = snprintf(text, COMPARISON_POWER_MAX, "mean: detects %s with these"
		       " runs", detects);
	if (p->detects > p->aim)
		add_needs(t, unit, text + len,
			  COMPARISON_POWER_MAX - (size_t)len);
}

/* --- lines --------------------------------------------------------------- */

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

	rate_cell(w->rate[COMPARE_A], a);
	rate_cell(w->rate[COMPARE_B], other);
	buf_printf(b, "  IO/s %s in A, %s in B\n", a, other);
}

static void print_other_depth(const struct compare_work *w, struct buf *b)
{
	char a[COMPARISON_CELL_MAX], other[COMPARISON_CELL_MAX];

	depth_cell(w->depth[COMPARE_A], a);
	depth_cell(w->depth[COMPARE_B], other);
	buf_printf(b, "  queue depth %s in A, %s in B\n", a, other);
}

/* how the mean's change comes about */
static void print_parts(const struct compare_work *w, bool page, struct buf *b)
{
	char all[COMPARISON_CELL_MAX], work[COMPARISON_CELL_MAX];
	char speed[COMPARISON_CELL_MAX];

	signed_cell(w->mean[COMPARE_B] - w->mean[COMPARE_A], page, all);
	signed_cell(w->by_work, page, work);
	signed_cell(w->by_speed, page, speed);
	buf_printf(b, "  mean %s: %s from different I/O, %s from "
		   "different speed\n", all, work, speed);
}

/* Nothing below means much without this: it comes first. */
void comparison_text_work(const struct compare_work *w, bool page,
			  struct buf *b)
{
	if (!workloads_differ(w))
		return;
	buf_printf(b, "the workloads differ:\n");
	if (w->other_work)
		buf_printf(b, "  %.0f%% of I/O differs in operation or size\n",
			   w->other * 100);
	else
		buf_printf(b, "  operations and sizes: same within %.0f%%\n",
			   same_within(w));
	if (w->other_rate)
		print_other_rate(w, b);
	if (w->other_depth)
		print_other_depth(w, b);
	print_parts(w, page, b);
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

/* the end of a side's line */
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
	rate_cell(r->work.rate[side], rate);
	side_remark(r, side, remark);
	strcat(rate, "/s");
	buf_printf(b, "%c  ", "AB"[side]);
	if (strlen(name) > NAME_ROOM)
		buf_printf(b, "%s\n%*s", name, NAME_ROOM + 3, "");
	else
		buf_printf(b, "%-*s", NAME_ROOM, name);
	depth_cell(r->work.depth[side], depth);
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
		buf_printf(b, "  no verdict: %s\n", comparison_drifts);
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

	time_cell(p->mean[COMPARE_A], a);
	time_cell(p->mean[COMPARE_B], other);
	signed_cell(p->mean[COMPARE_B] - p->mean[COMPARE_A], false, change);
	snprintf(shown, sizeof(shown), "%s", name);
	for (char *at = shown; *at; at++)
		*at = (char)toupper((unsigned char)*at);
	buf_printf(b, "  %-10s%8s%9s%10s\n", shown, a, other, change);
}

/* less than 0.05% of the whole is left out, as in other tables */
static bool is_worth_it(const struct compare_work *w, unsigned int phase)
{
	const double *mean = w->phase[phase].mean, *all = w->total.mean;

	return mean[COMPARE_A] > all[COMPARE_A] * 0.0005 ||
	       mean[COMPARE_B] > all[COMPARE_B] * 0.0005;
}

/* the mean of each phase, which add up to the total */
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
	comparison_text_work(&r->work, false, b);
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
