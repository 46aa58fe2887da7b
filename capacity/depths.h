/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Levels of a device in few rows, for people: 1, 2, 3, 4 to 5, 6 to 7, 8 to 11,
 * two for each power of two.
 */
#ifndef CAPACITY_DEPTHS_H
#define CAPACITY_DEPTHS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/histogram.h"
#include "base/wide.h"
#include "capacity/knee.h"

struct depths {
	uint32_t low, high;	/* of this row; 0 before the first */
	double time[LEVELS_GROUPS], done[LEVELS_GROUPS];	/* ns; I/Os */
	double all_time, all_done;
	double mean;		/* level */
	uint64_t bytes;		/* of these */
	struct histogram latency;	/* of those that came */
	struct wide waited, served;	/* as in struct level */
	uint64_t parted;
};

/*
 * The next row that a device had, from an all-zero *d on: 1; 0: no more; -ENOMEM,
 * -EOVERFLOW.  Frees the row before; after 1 the caller frees the last.
 */
int depths_next(struct depths *d, const struct levels *l);

void depths_free(struct depths *d);

/* completions a second; its range is not bounded if there is too little */
struct knee_range depths_rate(const struct depths *d);

/* means of the two parts of latency; parted must not be 0 */
uint64_t depths_waited(const struct depths *d);
uint64_t depths_served(const struct depths *d);

/* a percentile of latency, in thousandths; 0 if there is none */
uint64_t depths_percentile(const struct depths *d, uint32_t p);

#endif
