/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How many I/Os are in flight, and how many requests are at each device, moment
 * by moment: in all, and by bins of time, which double as those of sparse.h do.
 *
 * Spans come when they end, moments have to be in order: they wait until no
 * earlier one can come, and are sorted by the thousand.  If too many wait, a
 * span that began before those already counted begins there: then what is
 * counted is a lower bound.
 */
#ifndef REPORT_DEPTHS_H
#define REPORT_DEPTHS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/hint.h"
#include "base/radix.h"
#include "base/wide.h"
#include "report/disks.h"

enum {
	REPORT_DEPTH_BINS = 4096,
	REPORT_DEPTHS = REPORT_DISKS + 1,
	REPORT_DEPTH_ALL = REPORT_DISKS,	/* of all devices */
};

enum report_depth_kind {
	REPORT_DEPTH_IOS,	/* I/Os in flight: from D, or without one from
				 * the start, to the end */
	REPORT_DEPTH_REQUESTS,	/* queue depth: as stat/pace has it */
	REPORT_DEPTH_KINDS
};

/* what a span counts in, as bits */
enum {
	REPORT_IN_IOS = 1 << REPORT_DEPTH_IOS,
	REPORT_IN_REQUESTS = 1 << REPORT_DEPTH_REQUESTS,
	REPORT_IN_ALL = 1 << REPORT_DEPTH_KINDS,	/* of all devices, too */
	REPORT_IN_BITS = REPORT_DEPTH_KINDS + 1,
};

struct report_depth_bin {
	uint32_t min, max;	/* min above max: no time of it has passed */
	uint64_t integral;	/* of the depth over its time */
	uint64_t busy;		/* ns with any */
};

struct report_depth {
	uint32_t now;
	uint64_t last;		/* time of the last moment */
	struct report_depth_bin *bins;	/* NULL: nothing has come */
	bool bound;		/* it is at least that */
	struct wide unsure;	/* ns of spans that may be another's: a bound
				 * is less by that */

	/* after the end: of all bins */
	uint32_t max;
	uint64_t busy;
	struct wide integral;
};

/* one that is open, from then on */
struct report_depth_late {
	uint64_t from, to;
	uint32_t id;
};

struct report_depths {
	uint64_t width;		/* of a bin, a power of two */
	uint32_t bins;		/* so far */
	bool exact;		/* or it is at least that */
	struct report_depth of[REPORT_DEPTH_KINDS][REPORT_DEPTHS];

	/* depths.c's: moments that wait, until there are so many of them, */
	struct radix_item *list, *spare;
	size_t count, size, due;
	uint64_t done;		/* up to there moments are counted; */
	struct report_depth_late *late;	/* what is open since before that */
	size_t late_count, late_size;
};

void report_depths_init(struct report_depths *d);
/* bins and what is not over only; sums stay */
void report_depths_drop(struct report_depths *d);
void report_depths_free(struct report_depths *d);

/* One was in the device from one moment up to another, which may be the same;
 * what it counts in are the bits above.  0 or -ENOMEM, as these are. */
int report_depths_add(struct report_depths *d, uint32_t disk,
		      unsigned int what, uint64_t from, uint64_t to);

/* The same of one that is still there at the trace's end, to: it counts from
 * its start on, however much has been counted meanwhile. */
int report_depths_add_open(struct report_depths *d, uint32_t disk,
			   unsigned int what, uint64_t from, uint64_t to);

/* What counts in these may have been there, or for longer. */
void report_depths_doubt(struct report_depths *d, uint32_t disk,
			 unsigned int what);

/* A span of that length, which was added, may have another's start or end. */
void report_depths_unsure(struct report_depths *d, uint32_t disk,
			  unsigned int what, uint64_t ns);

/* slow path of report_depths_settle() */
int report_depths_count(struct report_depths *d, uint64_t time);

/* no one that comes began before that time */
static inline int report_depths_settle(struct report_depths *d, uint64_t time)
{
	return UNLIKELY(d->count >= d->due) ? report_depths_count(d, time) : 0;
}

/* no more come; the trace ends then */
int report_depths_end(struct report_depths *d, uint64_t end);

/* behind the end: bins become that much wider, a power of two */
void report_depths_widen(struct report_depths *d, uint64_t times);

#endif
