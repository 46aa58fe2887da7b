/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A comparison for people: its table, the cells of it, and remarks.
 */
#ifndef COMPARE_COMPARISON_TEXT_H
#define COMPARE_COMPARISON_TEXT_H

#include <stdbool.h>

#include "compare/compare.h"

struct buf;			/* base/buf.h */

/* what is compared, and its names; texts are the caller's */
struct comparison_options {
	struct compare_options compare;
	const char *phase;	/* "Q2C" */
	const char *name[COMPARE_SIDES];	/* what was read: "vda" */
};

/* --- cells ---------------------------------------------------------------- */

enum {
	COMPARISON_NAME_MAX = 16,
	COMPARISON_CELL_MAX = 32,
	COMPARISON_POWER_MAX = 128,
};

/* a row; a missing value is "" */
struct comparison_cells {
	char name[COMPARISON_NAME_MAX];
	char value[COMPARE_SIDES][COMPARISON_CELL_MAX];
	char change[COMPARISON_CELL_MAX];
	char interval[3 * COMPARISON_CELL_MAX];	/* blanks in front */
	char p[COMPARISON_CELL_MAX];
	const char *verdict;
};

void comparison_cells(const struct compare_row *row,
		      struct comparison_cells *c);

/* "mean", "IO/s", "p50", "p99.9" */
void comparison_row_name(const struct compare_row *row,
			 char name[COMPARISON_NAME_MAX]);

/* "slower", "not significant", "no verdict"... */
const char *comparison_verdict(const struct compare_row *row);

/* "+21.9%"; "-" if the sides cannot be compared */
void comparison_change(bool comparable, double change,
		       char cell[COMPARISON_CELL_MAX]);

/* --- remarks -------------------------------------------------------------- */

/* why a table in the state of that name has no verdict; of separated rows; of no
 * table */
extern const char comparison_drifts[], comparison_separated[];
extern const char comparison_nothing[];

/* whether a row of a table is separated, which comparison_separated explains */
bool comparison_has_separated(const struct compare_table *t);

/* the change that a table detects: "mean: detects 12% with these runs; 5% needs
 * 9 per side" */
void comparison_power(const struct compare_table *t, enum compare_unit unit,
		      char text[COMPARISON_POWER_MAX]);

/* lines about different work, if any, with a page's units or a terminal's; and
 * about the units of verdicts */
void comparison_text_work(const struct compare_work *w, bool page,
			  struct buf *b);
void comparison_text_unit(const struct compare_result *r, struct buf *b);

/* --- all of it ------------------------------------------------------------ */

/* 80 columns at most, unless names are long */
void comparison_text(const struct comparison_options *o,
		     const struct compare_result *r, struct buf *b);

#endif
