/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A histogram in few rows, by steps of round numbers.
 */
#ifndef STAT_BINS_H
#define STAT_BINS_H

#include <stdint.h>

struct histogram;		/* base/histogram.h */

enum { BINS_MAX = 120 };

struct bin {
	uint64_t from, to;	/* what is in it: from <= n < to */
	uint64_t count;
	uint64_t up_to;		/* count of this one and those before it */
};

struct bins {
	unsigned int count;
	uint64_t total, most;	/* of all rows; of one */
	struct bin rows[BINS_MAX];
};

/*
 * The rows of *h from its least to its greatest number, so many at most: the
 * finest of 1-1.5-2-3-5-7, 1-2-5, 1 a decade and coarser.  A cell of *h which
 * is in two of them counts where its middle is.
 */
void bins_make(struct bins *b, const struct histogram *h, unsigned int rows);

#endif
