/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The units of a comparison, runs or slices, laid out for cheap samples, as
 * thousands are drawn.
 */
#ifndef COMPARE_UNITS_H
#define COMPARE_UNITS_H

#include <stdint.h>

#include "compare/side.h"

struct compare_slices;		/* compare/slices.h */

enum { COMPARE_UNITS_MAX = 512 };	/* of both sides */

/* the source of units */
struct compare_units_source {
	const struct compare_slices *runs[COMPARE_SIDES];
	unsigned int number[COMPARE_SIDES];	/* of runs, 1 at least */
	unsigned int slices;	/* 0: each run is a unit; else the one run of
				 * each side makes this many units, at most its
				 * number of slices */
	uint32_t ops;		/* operations: bits 1 << op */
};

/* compare_units_make() fills it */
struct compare_units {
	unsigned int side[COMPARE_SIDES];	/* A's units come first */
	unsigned int all;
	uint64_t numbers[COMPARE_SIDES];	/* number of numbers */
	uint64_t min[COMPARE_SIDES], max[COMPARE_SIDES];
	unsigned int cells;	/* used ones */
	uint64_t *middle;	/* of each cell */
	uint64_t *upto;		/* per cell, for each unit: its numbers up to
				 * that cell */
	uint64_t *count;	/* per unit: its numbers, */
	double *sum, *ns;	/* their sum, and its length */
};

/* a sample's rows, as logarithms */
struct compare_sample {
	double value[COMPARE_ROWS];
	uint32_t absent;	/* missing rows: bits 1 << row */
};

/* 0, or -ENOMEM; u must be freed in any case */
int compare_units_make(struct compare_units *u,
		       const struct compare_units_source *source);

/* joins pairs of neighbours; each side has an even number of units */
void compare_units_halve(struct compare_units *u);

/* the cell of the rank-th smallest number, from 1, of the units in list */
unsigned int compare_units_rank(const struct compare_units *u,
				const uint16_t *list, unsigned int count,
				uint64_t rank);

/* the rows of the units in list, which may repeat, as a side */
void compare_units_sample(const struct compare_units *u,
			  const struct compare_rows *rows,
			  const uint16_t *list, unsigned int count,
			  struct compare_sample *sample);

/*
 * The share above a cell of the numbers of the units in list, with half of
 * those in it.  0 without numbers.
 */
double compare_units_above(const struct compare_units *u, const uint16_t *list,
			   unsigned int count, unsigned int cell);

/*
 * Rows, as bits 1 << row, in which each unit of one side is above all units of
 * the other.
 */
uint32_t compare_units_apart(const struct compare_units *u,
			     const struct compare_rows *rows);

/* sets list to the units of a side; returns their number */
unsigned int compare_units_side(const struct compare_units *u,
				enum compare_side side,
				uint16_t list[COMPARE_UNITS_MAX]);

void compare_units_free(struct compare_units *u);

#endif
