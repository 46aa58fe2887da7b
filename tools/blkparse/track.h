/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Following requests from allocation to completion (-t), and putting split
 * ones together again (always): a map from start sectors to requests, one for
 * each device.
 *
 * 1.3.0: a queue event sets the dispatch time, for stacked devices that know
 * no issue; without -t nothing is ever taken out of the map again.
 */
#ifndef TOOLS_BLKPARSE_TRACK_H
#define TOOLS_BLKPARSE_TRACK_H

#include <stdbool.h>
#include <stdint.h>

struct event;			/* record/record.h */
struct track;

enum track_wait { WAIT_ALLOCATION, WAIT_DISPATCH, WAIT_COMPLETION };

/* what following one event has shown */
struct tracked {
	bool timed;		/* elapsed is known */
	uint64_t elapsed;	/* ns */
	enum track_wait wait;	/* which part of the request's life it was */
	uint32_t pid;		/* whose request it is */
	bool created;		/* the event's process has begun a request */
	bool missing;		/* its request should be known and is not */
	bool alias;		/* another request has that sector already */
	const char *twice;	/* the time that was set before, or NULL */
};

/* NULL: out of memory */
struct track *track_new(void);

/*
 * Follows *ev, whose lane is set, as its action demands.  Without -t only
 * splits are to be followed.
 */
void track_event(struct track *t, const struct event *ev, struct tracked *r);

/* events that began a request, or a part, which could not be followed */
uint64_t track_left_out(const struct track *t);

/* a completion of a split request's tail becomes one of the whole; other
 * events stay as they are */
void track_widen(const struct track *t, struct event *ev);

/* frees t; NULL is fine */
void track_free(struct track *t);

#endif
