/* SPDX-License-Identifier: GPL-2.0-only */
/* The numbers of a comparison as people read them, and words about it. */
#ifndef COMPARE_COMPARISON_CELLS_H
#define COMPARE_COMPARISON_CELLS_H

#include <stdbool.h>

#include "compare/compare.h"
#include "compare/comparison_rows.h"

enum { COMPARISON_CELL_MAX = 32, COMPARISON_POWER_MAX = 128 };

/* a row; what there is none of is "" */
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

/* whether a row of a table is separated, which comparison_separated explains */
bool comparison_has_separated(const struct compare_table *t);

/* what a table detects: "mean: detects 12% with these runs; 5% needs 9 per
 * side" */
void comparison_power(const struct compare_table *t, enum compare_unit unit,
		      char text[COMPARISON_POWER_MAX]);

/* "1.2ms", "+1.2ms", a second, and a depth, "-" for none */
void comparison_time(double ns, char cell[COMPARISON_CELL_MAX]);
void comparison_signed(double ns, char cell[COMPARISON_CELL_MAX]);
void comparison_rate(double rate, char cell[COMPARISON_CELL_MAX]);
void comparison_depth(double depth, char cell[COMPARISON_CELL_MAX]);

/* "+21.9%"; "-" for what cannot be compared */
void comparison_change(bool comparable, double change,
		       char cell[COMPARISON_CELL_MAX]);

/* of a table in the state of that name; of its separated rows; of no table */
extern const char comparison_drifts[], comparison_separated[];
extern const char comparison_nothing[];

#endif
