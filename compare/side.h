/* SPDX-License-Identifier: GPL-2.0-only */
/* Sides and rows of a comparison. */
#ifndef COMPARE_SIDE_H
#define COMPARE_SIDE_H

#include <stdint.h>

enum compare_side {
	COMPARE_A,
	COMPARE_B,
	COMPARE_SIDES
};

/* kinds of rows */
enum compare_kind {
	COMPARE_MEAN,
	COMPARE_RATE,		/* ios a second */
	COMPARE_PERCENTILE,	/* this one and later ones */
};

enum {
	COMPARE_PERCENTILES = 8,
	COMPARE_ROWS = COMPARE_PERCENTILE + COMPARE_PERCENTILES,
};

/* the rows of a table: a mean, a rate, and percentiles in 1/1000 % */
struct compare_rows {
	unsigned int count;	/* COMPARE_PERCENTILE at least */
	uint32_t percentile[COMPARE_ROWS];	/* from that row on */
};

#endif
