/*
 * Following requests from allocation to completion (-t), and putting split
 * ones together again (always): a map from start sectors to requests, one for
 * each device.
 *
 * What 1.3.0 does, visible in its output, is kept: a queue event sets the
 * dispatch time, for stacked devices that know no issue; without -t nothing
 * is ever taken out of the map again.
 */
#ifndef TOOLS_BLKPARSE_TRACK_H
#define TOOLS_BLKPARSE_TRACK_H

#include <stdbool.h>
#include <stdint.h>

struct event;			/* trace/record.h */
struct track;

/* more requests at a time are not followed: 88 MiB at most */
enum { TRACK_MAX = 1 << 20 };

enum track_wait { WAIT_ALLOCATION, WAIT_DISPATCH, WAIT_COMPLETION };

/* what following one event told */
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

/* timing: follow times, too; else splits only.  NULL: out of memory. */
struct track *track_new(bool timing);

/* follows *ev, whose lane is set, as its action demands */
void track_event(struct track *t, const struct event *ev, struct tracked *r);

/* a completion of a split request's tail becomes one of the whole */
void track_widen(const struct track *t, struct event *ev);

/* frees t; NULL is fine */
void track_free(struct track *t);

#endif
