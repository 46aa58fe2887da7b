/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What an event may need besides counting and its line: its request is
 * followed, and a process without a name is given one.  Which of these come
 * before the event is counted, after that, or after its line, shows in the
 * output; the table in follow.c has it.
 */
#ifndef TOOLS_BLKPARSE_FOLLOW_H
#define TOOLS_BLKPARSE_FOLLOW_H

#include <stdbool.h>
#include <stdint.h>

#include "base/hint.h"
#include "record/record.h"
#include "run/names.h"

/* --- track ---------------------------------------------------------------- */

/*
 * Following requests from allocation to completion (-t), and putting split
 * ones together again (always): a map from start sectors to requests, one for
 * each device.
 *
 * 1.3.0: a queue event sets the dispatch time, for stacked devices that know
 * no issue; without -t nothing is ever taken out of the map again.
 */

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

/* --- follow --------------------------------------------------------------- */

struct line;			/* emit/line.h */
struct options;			/* tools/blkparse/options.h */
struct stats;			/* stats.h */

/* the steps that an event takes besides being counted and shown */
enum {
	FOLLOW_WIDEN = 1,	/* it may end a split request */
	FOLLOW_FIRST = 2,	/* its request is followed before it counts, */
	FOLLOW_REQUEST = 4,	/* or after that */
	FOLLOW_SPLIT = 8,	/* from now on completions may be of parts */
	FOLLOW_NAME = 16,	/* counting it names a process before its line, */
	FOLLOW_NAME_LAST = 32,	/* or after that */

	FOLLOW_BEFORE_COUNT = FOLLOW_WIDEN | FOLLOW_FIRST | FOLLOW_SPLIT,
	FOLLOW_AFTER_COUNT = FOLLOW_NAME | FOLLOW_REQUEST,
	FOLLOW_AFTER_LINE = FOLLOW_NAME_LAST,
	FOLLOW_ACTIONS = 32,
};

struct follow {
	const struct options *o;
	struct names *names;
	struct line *line;	/* renders anew what a name is in */
	struct stats *stats;
	struct track *track;
	uint8_t due[2][FOLLOW_ACTIONS];	/* steps; [1] of packet commands */
};

/* The other modules stay the caller's.  0, or -ENOMEM. */
int follow_init(struct follow *f, const struct options *o,
		struct names *names, struct line *line, struct stats *stats);

void follow_free(struct follow *f);

/* events whose request, beyond INFLIGHT_MAX, is not followed */
uint64_t follow_left_out(const struct follow *f);

/* the event's process is called that, unless it has a name */
void follow_name(struct follow *f, const struct event *ev, const char *name,
		 size_t len);

/*
 * The steps that an event takes; a note takes none.  An unknown action may
 * have those of another one, which then find nothing to do.
 */
static inline unsigned int follow_due(const struct follow *f,
				      const struct event *ev)
{
	uint32_t nr = event_number(ev) % FOLLOW_ACTIONS;

	if (UNLIKELY(event_is_note(ev) || event_is_pc(ev)))
		return event_is_note(ev) ? 0 : f->due[1][nr];
	return f->due[0][nr];
}

/* the steps in due that come before counting; may change a completion */
void follow_before_count(struct follow *f, struct event *ev, unsigned int due);

/* Those between counting and the line.  The latency that the line shows, in
 * ns, or LINE_NO_LATENCY. */
uint64_t follow_after_count(struct follow *f, const struct event *ev,
			    unsigned int due);

/* those after the line */
void follow_after_line(struct follow *f, const struct event *ev);

#endif
