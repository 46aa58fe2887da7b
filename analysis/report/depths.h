/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How many ios are in each device, moment by moment: in all, and by bins of
 * time, which double as those of sparse.h do.
 *
 * Ios come when they end, moments have to be in order: they wait until no
 * earlier one can come.  If too many wait, what comes later begins late.
 */
#ifndef ANALYSIS_REPORT_DEPTHS_H
#define ANALYSIS_REPORT_DEPTHS_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/report/disks.h"
#include "base/heap.h"
#include "base/sum.h"

enum {
	REPORT_DEPTH_BINS = 4096,
	REPORT_DEPTHS = REPORT_DISKS + 1,
	REPORT_DEPTH_ALL = REPORT_DISKS,	/* all of those with a D */
};

struct report_depth_bin {
	uint32_t min, max;	/* min above max: no time of it has passed */
	uint64_t integral;	/* of the depth over its time */
};

struct report_depth {
	uint32_t now, max;
	uint64_t last;		/* time of the last moment */
	uint64_t busy;		/* ns with any */
	struct sum integral;	/* of all */
	struct report_depth_bin *bins;	/* NULL: nothing has come */
};

/* one ends */
struct report_moment {
	uint64_t time;
	uint32_t id;
};

struct report_depths {
	uint64_t width;		/* of a bin, a power of two */
	uint32_t bins;		/* so far */
	bool exact;		/* or it is at least that */
	struct report_depth of[REPORT_DEPTHS];

	/* depths.c's */
	struct heap moments;
	struct report_moment *ends;	/* in order, from head on, in a ring */
	size_t head, end_count, end_size;
	uint64_t done;		/* up to there moments are in order */
};

void report_depths_init(struct report_depths *d);
/* bins and what is not over only; sums stay */
void report_depths_drop(struct report_depths *d);
void report_depths_free(struct report_depths *d);

/* One was in the device from one moment up to another, which may be the same;
 * all: it counts in all, too.  0 or -ENOMEM, as these are. */
int report_depths_add(struct report_depths *d, uint32_t disk, bool all,
		      uint64_t from, uint64_t to);

/* no one that comes began before that time */
int report_depths_settle(struct report_depths *d, uint64_t time);

/* no more come; the trace ends then */
int report_depths_end(struct report_depths *d, uint64_t end);

/* behind the end: bins become that much wider, a power of two */
void report_depths_widen(struct report_depths *d, uint64_t times);

#endif
