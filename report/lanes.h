/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Lanes: times and lengths of rare events.
 *
 * When there are too many, every second one is dropped, so that the rest stays
 * spread evenly.
 */
#ifndef REPORT_LANES_H
#define REPORT_LANES_H

#include <stddef.h>
#include <stdint.h>

enum report_lane_kind {
	REPORT_LANE_FLUSH,
	REPORT_LANE_FUA,
	REPORT_LANE_DISCARD,
	REPORT_LANE_ERROR,
	REPORT_LANE_REQUEUE,
	REPORT_LANE_LOST,
	REPORT_LANES
};

enum { REPORT_LANE_KEPT = 20000 };

struct report_span_at {
	uint64_t time, length;	/* ns */
};

struct report_lane {
	uint64_t count;		/* in all */
	uint64_t longest;
	struct report_span_at *list;	/* every step-th of these */
	size_t kept, size;
	uint64_t step;		/* a power of two; 0: none so far */
};

struct report_lanes {
	struct report_lane of[REPORT_LANES];
};

/* an all-zero struct report_lanes is empty; 0 or -ENOMEM */
int report_lanes_add(struct report_lanes *l, enum report_lane_kind kind,
		     uint64_t time, uint64_t length);

/* no more; then by time, REPORT_LANE_KEPT at most */
void report_lanes_end(struct report_lanes *l);

/* after the end: at most this many of each */
void report_lanes_thin(struct report_lanes *l, size_t most);

/* frees the events; counts stay */
void report_lanes_drop(struct report_lanes *l);
void report_lanes_free(struct report_lanes *l);

#endif
