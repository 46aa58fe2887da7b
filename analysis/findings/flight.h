/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How many requests were under way at a time: seen moment by moment, in order
 * (recent.h), so that time can be summed by what else was going on.
 *
 * Only requests that complete are counted, and each only while it is among the
 * 1,024 that ended last.
 */
#ifndef ANALYSIS_FINDINGS_FLIGHT_H
#define ANALYSIS_FINDINGS_FLIGHT_H

#include "analysis/findings/recent.h"
#include "base/histogram.h"

struct flight {
	uint64_t last;		/* time of the last moment */
	uint32_t depth;		/* issued and not done */
	uint32_t waiting;	/* ready and not issued */
	uint32_t flushing;	/* flushes of depth */
	uint32_t most;		/* greatest depth */
	uint64_t busy, alone;	/* ns with a depth of 1 and more, of 1 */
	uint64_t flushed;	/* ns with a flush under way */
	uint64_t waited[RECENT_MAX + 1];	/* ns by all that waited, by the
						 * depth meanwhile */
	struct histogram flushes;	/* D2C of these */
	struct histogram thinks;	/* from a completion to what was queued
					 * next */
	bool any;		/* requests with data are done, */
	uint64_t done;		/* the last of them then */
};

void flight_free(struct flight *f);

/* what happened next; 0, or -ENOMEM */
int flight_moment(struct flight *f, const struct served *s,
		  enum served_moment moment, uint64_t now);

/*
 * Of the time that requests waited for the device: thousandths while at least
 * nine tenths of most were under way, and at most half of it.  False: none
 * waited.
 */
bool flight_waits(const struct flight *f, uint64_t *full, uint64_t *room);

#endif
