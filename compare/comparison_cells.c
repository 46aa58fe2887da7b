/* SPDX-License-Identifier: GPL-2.0-only */
/* A comparison's cells; see comparison_cells.h. */
#include <math.h>
#include <stdio.h>

#include "base/unit.h"
#include "compare/comparison_cells.h"

const char comparison_drifts[] = "no verdict: latency drifts within a run, or"
				 " the run is too short";
const char comparison_separated[] = "separated: no slice of one run overlaps"
				    " the other run's; no p value";
const char comparison_nothing[] = "no operation occurs on both sides";

/* ns as a whole number; more than there is becomes the most there is */
static uint64_t whole(double ns)
{
	return ns >= 0x1p64 ? UINT64_MAX : ns > 0 ? (uint64_t)(ns + 0.5) : 0;
}

void comparison_time(double ns, char cell[COMPARISON_CELL_MAX])
{
	char text[UNIT_MAX];

	unit_time(text, whole(ns));
	snprintf(cell, COMPARISON_CELL_MAX, "%s", text);
}

void comparison_signed(double ns, char cell[COMPARISON_CELL_MAX])
{
	char text[UNIT_MAX];

	unit_time(text, whole(fabs(ns)));
	snprintf(cell, COMPARISON_CELL_MAX, "%c%s", ns < 0 ? '-' : '+', text);
}

void comparison_rate(double rate, char cell[COMPARISON_CELL_MAX])
{
	char text[UNIT_MAX];

	unit_decimal(text, whole(rate * 1000), 1000);
	snprintf(cell, COMPARISON_CELL_MAX, "%s", text);
}

/* of ios that never were at a device, or of which that is not known: "-" */
void comparison_depth(double depth, char cell[COMPARISON_CELL_MAX])
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
		comparison_rate(row->value[side], cell);
	else
		comparison_time(row->value[side], cell);
}

/* what is 0 when it is rounded is not "-0.0%" */
static double no_less(double part)
{
	return fabs(part) < 0.0005 ? 0 : part;
}

/* "+21.9%"; what is ten thousand times as much is only said to be more */
void comparison_change(bool comparable, double change,
		       char cell[COMPARISON_CELL_MAX])
{
	if (!comparable)
		snprintf(cell, COMPARISON_CELL_MAX, "-");
	else if (change >= 100)
		snprintf(cell, COMPARISON_CELL_MAX, ">9999%%");
	else
		snprintf(cell, COMPARISON_CELL_MAX, "%+.1f%%", no_less(change) * 100);
}

/* an end of an interval: "-37%", "+1.2%" */
static void end_cell(double part, char cell[COMPARISON_CELL_MAX])
{
	if (part >= 100)
		snprintf(cell, COMPARISON_CELL_MAX, ">9999%%");
	else
		snprintf(cell, COMPARISON_CELL_MAX, fabs(part) < 0.0995 ? "%+.1f%%" :
			 "%+.0f%%", no_less(part) * 100);
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

/* by how few deals a verdict is; what is less than 0.001 is not said */
static void p_cell(const struct compare_row *row,
		   char cell[COMPARISON_CELL_MAX])
{
	bool told = row->verdict == COMPARE_SLOWER ||
		    row->verdict == COMPARE_FASTER;

	cell[0] = 0;
	if (told)
		snprintf(cell, COMPARISON_CELL_MAX, "p %.3f", fmax(row->p, 0.001));
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
