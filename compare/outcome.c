/* SPDX-License-Identifier: GPL-2.0-only */
/* A comparison in a sentence; see outcome.h. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/unit.h"
#include "compare/outcome.h"
#include "compare/comparison_text.h"

/* --- directions ----------------------------------------------------------- */

/* rows of a table with a direction */
static unsigned int count_rows(const struct compare_table *t,
			       enum compare_verdict direction)
{
	unsigned int n = 0;

	for (unsigned int i = 0; i < t->rows; i++)
		n += compare_direction(&t->row[i]) == direction;
	return n;
}

/* the first table with such rows, that of all I/O if it has any; NULL: none */
static const struct compare_table *table_of(const struct compare_result *r,
					    enum compare_verdict direction)
{
	for (unsigned int i = 0; i < r->tables; i++)
		if (count_rows(&r->table[i], direction))
			return &r->table[i];
	return NULL;
}

enum compare_verdict outcome_direction(const struct compare_result *r)
{
	bool slower = table_of(r, COMPARE_SLOWER);
	bool faster = table_of(r, COMPARE_FASTER);

	if (slower == faster)
		return COMPARE_NO_VERDICT;
	return slower ? COMPARE_SLOWER : COMPARE_FASTER;
}

/* --- rows ----------------------------------------------------------------- */

/* "Q2C read p99 +43.5% (712us to 1.02ms)" */
static void add_row(const struct outcome_words *w,
		    const struct compare_table *t,
		    const struct compare_row *row, struct buf *b)
{
	bool rate = row->kind == COMPARE_RATE;
	struct comparison_cells c;

	comparison_cells(row, &c);
	if (w->page && !rate) {
		unit_space(c.value[COMPARE_A]);
		unit_space(c.value[COMPARE_B]);
	}
	buf_printf(b, "%s%s%s%s%s %s (%s to %s)", rate ? "" : w->phase,
		   rate ? "" : " ", t->all ? "" : io_op_name(t->op),
		   t->all ? "" : " ", c.name, c.change, c.value[COMPARE_A],
		   c.value[COMPARE_B]);
}

/* how far out a change is, in either direction */
static double size_of(const struct compare_row *row)
{
	return row->comparable ? fabs(log1p(row->change)) : 0;
}

/* a second row is only of interest if it changed more than the first */
static const double MORE = 1.1;

/* the first row with a direction, and the one that changed most */
static void add_rows(const struct outcome_words *w,
		     const struct compare_table *t,
		     enum compare_verdict direction, struct buf *b)
{
	const struct compare_row *first = NULL, *most = NULL;

	for (unsigned int i = 0; i < t->rows; i++) {
		const struct compare_row *row = &t->row[i];

		if (compare_direction(row) != direction)
			continue;
		first = first ? first : row;
		if (!most || size_of(row) > size_of(most))
			most = row;
	}
	add_row(w, t, first, b);
	if (size_of(most) < MORE * size_of(first))
		return;
	buf_printf(b, ", ");
	add_row(w, t, most, b);
}

/* --- without a direction -------------------------------------------------- */

/* the cell of an interval, without the blanks of its column */
static void add_interval(const struct compare_row *row, struct buf *b)
{
	struct comparison_cells c;

	comparison_cells(row, &c);
	buf_printf(b, ", 95%% interval");
	for (char *rest, *word = strtok_r(c.interval, " ", &rest); word;
	     word = strtok_r(NULL, " ", &rest))
		buf_printf(b, " %s", word);
}

/* why a table has no verdict */
static void add_reason(const struct compare_table *t, struct buf *b)
{
	if (t->state == COMPARE_FEW_RUNS)
		buf_printf(b, ", but %d runs per side are needed",
			   COMPARE_RUNS_LEAST);
	else if (t->state == COMPARE_DRIFTS)
		buf_printf(b, ", but %s", comparison_drifts);
	else if (t->row[COMPARE_MEAN].interval)
		add_interval(&t->row[COMPARE_MEAN], b);
}

static bool is_same(const struct compare_table *t)
{
	for (unsigned int i = 0; i < t->rows; i++)
		if (t->row[i].verdict != COMPARE_SAME)
			return false;
	return true;
}

static void add_undecided(const struct outcome_words *w,
			  const struct compare_result *r, struct buf *b)
{
	const struct compare_table *t = &r->table[0];
	const char *head = t->state == COMPARE_JUDGED ?
			   is_same(t) ? "B is the same as A" :
			   "No difference shown" : "No verdict";

	buf_printf(b, "%s: ", head);
	add_row(w, t, &t->row[COMPARE_MEAN], b);
	add_reason(t, b);
}

/* --- the sentence --------------------------------------------------------- */

void outcome_sentence(const struct outcome_words *w,
		      const struct compare_result *r, struct buf *b)
{
	const struct compare_table *slower = table_of(r, COMPARE_SLOWER);
	const struct compare_table *faster = table_of(r, COMPARE_FASTER);

	if (!r->tables) {
		buf_printf(b, "No verdict: %s", comparison_nothing);
		return;
	}
	if (!slower && !faster) {
		add_undecided(w, r, b);
		return;
	}
	buf_printf(b, "B is %s than A: ", slower ? "slower" : "faster");
	add_rows(w, slower ? slower : faster,
		 slower ? COMPARE_SLOWER : COMPARE_FASTER, b);
	if (!slower || !faster)
		return;
	buf_printf(b, "; but faster: ");
	add_rows(w, faster, COMPARE_FASTER, b);
}

/* --- what decides --------------------------------------------------------- */

/* a smaller change is none to find; and this many times is no plan */
static const double LEAST = 0.01;
enum { LONGEST = 100 };

/*
 * How many times as much must be measured until the interval of this change,
 * widened for all rows together, is clear of 0.
 */
static double times_of(const struct compare_row *row)
{
	/* of all rows together: (2.7 / 1.96)^2 in our tables */
	const double rows = 2;
	double half = (log1p(row->high) - log1p(row->low)) / 2;

	return fmax(rows * pow(half / size_of(row), 2), 2);
}

static void print_more(const struct compare_table *t, double times,
		       enum compare_unit unit, char text[OUTCOME_DECIDES_MAX])
{
	double runs = ceil(times * t->units[COMPARE_A]);

	if (unit == COMPARE_BY_SLICE && times <= LONGEST)
		snprintf(text, OUTCOME_DECIDES_MAX,
			 "runs about %.0f times as long", ceil(times));
	else if (unit == COMPARE_BY_SLICE)
		snprintf(text, OUTCOME_DECIDES_MAX,
			 "runs over %d times as long", LONGEST);
	else if (runs <= COMPARE_RUNS_MAX)
		snprintf(text, OUTCOME_DECIDES_MAX, "about %.0f runs per side",
			 runs);
	else
		snprintf(text, OUTCOME_DECIDES_MAX, "over %d runs per side",
			 COMPARE_RUNS_MAX);
}

bool outcome_decides(const struct compare_table *t,
		     const struct compare_row *row, enum compare_unit unit,
		     char text[OUTCOME_DECIDES_MAX])
{
	bool judged = t->state == COMPARE_JUDGED && row->interval &&
		      row->comparable;
	bool found = compare_direction(row) || row->verdict == COMPARE_SAME;
	bool small = judged && size_of(row) < LEAST;

	*text = '\0';
	if (found)
		return false;
	if (small)
		snprintf(text, OUTCOME_DECIDES_MAX, "change below 1%%");
	else if (judged)
		print_more(t, times_of(row), unit, text);
	else
		snprintf(text, OUTCOME_DECIDES_MAX, "%d or more runs per side",
			 COMPARE_RUNS_LEAST);
	return !small;
}
