/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A run as slices of time, each a histogram per operation.
 *
 * Slices start short, as a run's length is unknown; when there are too many, or
 * too many cells in them, neighbours are joined.  So any run ends with more
 * than half of COMPARE_SLICES, or to save memory with at least
 * COMPARE_SLICES_LEAST.
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
	unsigned int limit;	/* slices at most */
	uint64_t width;		/* of a slice, ns */
	bool any;		/* times are set: */
	uint64_t from, last;	/* the first number's, and the latest */
	uint64_t cells;		/* in all histograms */
	struct histogram *of[IO_OPS];	/* limit of them; NULL: none */
};

/* whole: all is one slice */
void compare_slices_init(struct compare_slices *s, bool whole);

/*
 * A number of an operation, at a time in ns, at least the first one.  0,
 * -ENOMEM, or -EOVERFLOW as histogram_add().
 */
int compare_slices_add(struct compare_slices *s, enum io_op op, uint64_t when,
		       uint64_t value);

/*
 * All numbers of a histogram, from from until until.  Histograms of a run
 * follow each other, are as long as the first, and are not mixed with numbers:
 * slices are one or several of them.
 */
int compare_slices_add_all(struct compare_slices *s, enum io_op op,
			   uint64_t from, uint64_t until,
			   const struct histogram *h);

/* slices of the run; 0: no numbers */
unsigned int compare_slices_used(const struct compare_slices *s);

/* ns of slice i, below used: the last one is shorter */
uint64_t compare_slices_ns(const struct compare_slices *s, unsigned int i);

/* from the first number to the last, at least 1 ns; 0 without any */
uint64_t compare_slices_length(const struct compare_slices *s);

/* frees what it has */
void compare_slices_free(struct compare_slices *s);

#endif
