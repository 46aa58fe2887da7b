/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * I/Os in flight, and requests at each device, in total and by bins of time,
 * which double as those of sparse.h.
 *
 * Spans come at their ends, but moments must be in order: they wait until no
 * earlier one can come, and are sorted by the thousand.  If too many wait, a
 * span counts from the last counted moment, and depths are lower bounds.
 *
 * While all spans of a kind are those of one device, and in the depth of all,
 * both are one, and counted once.
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

/* the depths of a span, as bits */
enum {
	REPORT_IN_IOS = 1 << REPORT_DEPTH_IOS,
	REPORT_IN_REQUESTS = 1 << REPORT_DEPTH_REQUESTS,
	REPORT_IN_ALL = 1 << REPORT_DEPTH_KINDS,	/* all devices */
	REPORT_IN_BITS = REPORT_DEPTH_KINDS + 1,
};

struct report_depth_bin {
	uint32_t min, max;	/* min above max: no time passed */
	uint64_t integral;	/* of the depth over its time */
	uint64_t busy;		/* ns with any */
};

struct report_depth {
	uint32_t now;
	uint64_t last;		/* time of the last moment */
	struct report_depth_bin *bins;	/* NULL: empty */
	struct report_depth_bin *bin;	/* of times from last up to until */
	uint64_t until;		/* or before last, if that is not known */
	bool bound;		/* a lower bound */
	struct wide unsure;	/* ns of doubtful spans, by which a bound is
				 * less */

	/* after the end: of all bins */
	uint32_t max;
	uint64_t busy;
	struct wide integral;
};

/* Starts or ends that wait, sorted, and those that came far from their places:
 * each has a time as its key, and whose it is as its index. */
struct report_depth_queue {
	struct radix_item *list, *far;
	size_t head, count, size;
	size_t far_count, far_size;
};

/* an open one */
struct report_depth_late {
	uint64_t from, to;
	uint32_t id;
};

struct report_depths {
	uint64_t width;		/* of a bin, a power of two */
	uint32_t bins;		/* so far */
	bool exact;		/* else a lower bound */
	struct report_depth of[REPORT_DEPTH_KINDS][REPORT_DEPTHS];

	/* depths.c's */
	uint32_t alone;		/* the first device, or none so far */
	unsigned int mixed;	/* bits of kinds that are not just of it */
	struct report_depth_queue starts, ends;	/* waiting moments, */
	size_t count, due;	/* up to due of them */
	uint64_t done;		/* moments before it are counted; */
	struct report_depth_late *late;	/* open since before that */
	size_t late_count, late_size;
};

void report_depths_init(struct report_depths *d);
/* frees bins and open ones; sums stay */
void report_depths_drop(struct report_depths *d);
void report_depths_free(struct report_depths *d);

/* One was in the device from from up to to, maybe equal; what: the bits above.
 * 0 or -ENOMEM, as these. */
int report_depths_add(struct report_depths *d, uint32_t disk,
		      unsigned int what, uint64_t from, uint64_t to);

/* The same of one still there at the trace's end, to, from its very start. */
int report_depths_add_open(struct report_depths *d, uint32_t disk,
			   unsigned int what, uint64_t from, uint64_t to);

/* One may have been in these depths, or for longer. */
void report_depths_doubt(struct report_depths *d, uint32_t disk,
			 unsigned int what);

/* An added span of that length may have another's start or end. */
void report_depths_unsure(struct report_depths *d, uint32_t disk,
			  unsigned int what, uint64_t ns);

/* whether report_depths_count() is due */
static inline bool report_depths_wait(const struct report_depths *d)
{
	return UNLIKELY(d->count >= d->due);
}

/* Later ones start at or after time: what was before it is counted. */
int report_depths_count(struct report_depths *d, uint64_t time);

/* no more; end of the trace */
int report_depths_end(struct report_depths *d, uint64_t end);

/* after the end: bins become times as wide, a power of two */
void report_depths_widen(struct report_depths *d, uint64_t times);

#endif
