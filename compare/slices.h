/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A run as slices of time, each a histogram per operation.
 *
 * How long a run is shows only in its end: slices begin short, and whenever
 * there are too many, or too many cells in them, neighbours become one.  So a
 * run of any length ends with more than half of COMPARE_SLICES, or fewer if
 * that saves memory, but not less than COMPARE_SLICES_LEAST for that reason.
 */
#ifndef COMPARE_SLICES_H
#define COMPARE_SLICES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/histogram.h"
#include "request/io.h"

enum {
	COMPARE_SLICES = 1024,
	COMPARE_SLICES_LEAST = 128,
	COMPARE_SLICES_CELLS = 4 << 20,	/* of a run; 4 bytes each */
};

/* compare_slices_init() makes one */
struct compare_slices {
	unsigned int limit;	/* how many slices there may be */
	uint64_t width;		/* of a slice, ns */
	bool any;		/* the times are there: */
	uint64_t from, last;	/* the first number's, and the latest */
	uint64_t cells;		/* in all histograms */
	struct histogram *of[IO_OPS];	/* limit of them; NULL: none */
};

/* whole: time does not matter, all is one slice */
void compare_slices_init(struct compare_slices *s, bool whole);

/*
 * A number of an operation, at a time in ns; times before the first count as
 * the first.  0, -ENOMEM, or -EOVERFLOW as histogram_add().
 */
int compare_slices_add(struct compare_slices *s, enum io_op op, uint64_t when,
		       uint64_t value);

/*
 * All of a histogram's numbers, which came from a time on until another one.
 * Those of a run follow each other, as long as the first, and nothing but
 * histograms comes: slices are then as long, or several of them.
 */
int compare_slices_add_all(struct compare_slices *s, enum io_op op,
			   uint64_t from, uint64_t until,
			   const struct histogram *h);

/* how many slices the run has; 0: no numbers */
unsigned int compare_slices_used(const struct compare_slices *s);

/* how many ns of the run lie in slice i, less than used: the last is shorter */
uint64_t compare_slices_ns(const struct compare_slices *s, unsigned int i);

/* from the first number to the last, at least 1 ns; 0 without any */
uint64_t compare_slices_length(const struct compare_slices *s);

/* frees what it has */
void compare_slices_free(struct compare_slices *s);

#endif
