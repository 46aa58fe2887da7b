/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The units of a comparison, runs or slices, laid out so that a sample of them
 * costs little: thousands are taken.
 */
#ifndef COMPARE_UNITS_H
#define COMPARE_UNITS_H

#include <stdint.h>

#include "compare/side.h"

struct compare_slices;		/* compare/slices.h */

enum { COMPARE_UNITS_MAX = 512 };	/* of both sides */

/* what they are made of */
struct compare_units_source {
	const struct compare_slices *runs[COMPARE_SIDES];
	unsigned int number[COMPARE_SIDES];	/* of runs, 1 at least */
	unsigned int slices;	/* 0: each run is a unit; else there is one run
				 * a side, and this many units are made of it:
				 * as many as it has slices at most */
	uint32_t ops;		/* which operations: bits 1 << op */
};

/* compare_units_make() fills it */
struct compare_units {
	unsigned int side[COMPARE_SIDES];	/* A's units come first */
	unsigned int all;
	uint64_t numbers[COMPARE_SIDES];	/* that they count */
	uint64_t min[COMPARE_SIDES], max[COMPARE_SIDES];
	unsigned int cells;	/* in which something is */
	uint64_t *middle;	/* of each of these cells */
	uint64_t *upto;		/* per cell, for each unit: its numbers in
				 * there and below */
	uint64_t *count;	/* per unit: its numbers, */
	double *sum, *ns;	/* their sum, and its length */
};

/* a sample's rows: what they are compared by is the logarithm */
struct compare_sample {
	double value[COMPARE_ROWS];
	uint32_t absent;	/* rows that it has not: bits 1 << row */
};

/* 0, or -ENOMEM; u is to be freed in any case */
int compare_units_make(struct compare_units *u,
		       const struct compare_units_source *source);

/* makes one of each two neighbours; each side has an even number of units */
void compare_units_halve(struct compare_units *u);

/* the cell of the rank-th smallest number, from 1, of the units in list */
unsigned int compare_units_rank(const struct compare_units *u,
				const uint16_t *list, unsigned int count,
				uint64_t rank);

/* what the units in list would show as a side; they may be there twice */
void compare_units_sample(const struct compare_units *u,
			  const struct compare_rows *rows,
			  const uint16_t *list, unsigned int count,
			  struct compare_sample *sample);

/*
 * The share of the numbers of the units in list above a cell; of those in it
 * half count as above.  0 without numbers.
 */
double compare_units_above(const struct compare_units *u, const uint16_t *list,
			   unsigned int count, unsigned int cell);

/*
 * Rows, as bits 1 << row, by which each unit of one side lies above all units
 * of the other.
 */
uint32_t compare_units_apart(const struct compare_units *u,
			     const struct compare_rows *rows);

/* list is set to the units of a side; returns how many these are */
unsigned int compare_units_side(const struct compare_units *u,
				enum compare_side side,
				uint16_t list[COMPARE_UNITS_MAX]);

void compare_units_free(struct compare_units *u);

#endif
