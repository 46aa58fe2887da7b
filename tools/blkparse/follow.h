/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Follows an event's request, and names a process without a name.  The output
 * shows whether that comes before or after counting, or after the line;
 * follow.c has a table.
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
 * Follows requests from allocation to completion (-t), and joins split ones
 * (always), by a map of start sectors for each device.
 *
 * 1.3.0: a queue event sets the dispatch time, for stacked devices without
 * issues; without -t nothing ever leaves the map.
 */

struct event;			/* record/record.h */
struct track;

enum track_wait { WAIT_ALLOCATION, WAIT_DISPATCH, WAIT_COMPLETION };

/* the result of following one event */
struct tracked {
	bool timed;		/* elapsed is known */
	uint64_t elapsed;	/* ns */
	enum track_wait wait;	/* the phase of that time */
	uint32_t pid;		/* of the request */
	bool created;		/* the event's process has started a request */
	bool missing;		/* its request is unexpectedly unknown */
	bool alias;		/* another request has that sector already */
	const char *twice;	/* the time that was set before, or NULL */
};

/* NULL: no memory */
struct track *track_new(void);

/* follows *ev, with its lane set, by its action; without -t, call for splits
 * only */
void track_event(struct track *t, const struct event *ev, struct tracked *r);

/* events whose new request, or part, had no room */
uint64_t track_left_out(const struct track *t);

/* makes a completion of a split request's tail one of the whole request; leaves
 * other events unchanged */
void track_widen(const struct track *t, struct event *ev);

/* t may be NULL */
void track_free(struct track *t);

/* --- follow --------------------------------------------------------------- */

struct line;			/* emit/line.h */
struct options;			/* tools/blkparse/options.h */
struct stats;			/* stats.h */

/* an event's steps besides counting and its line */
enum {
	FOLLOW_WIDEN = 1,	/* may end a split request */
	FOLLOW_FIRST = 2,	/* follow its request before counting, */
	FOLLOW_REQUEST = 4,	/* or after it */
	FOLLOW_SPLIT = 8,	/* completions may be of parts from now on */
	FOLLOW_NAME = 16,	/* name its process before its line, */
	FOLLOW_NAME_LAST = 32,	/* or after it */

	FOLLOW_BEFORE_COUNT = FOLLOW_WIDEN | FOLLOW_FIRST | FOLLOW_SPLIT,
	FOLLOW_AFTER_COUNT = FOLLOW_NAME | FOLLOW_REQUEST,
	FOLLOW_AFTER_LINE = FOLLOW_NAME_LAST,
	FOLLOW_ACTIONS = 32,
};

struct follow {
	const struct options *o;
	struct names *names;
	struct line *line;	/* renders again what has a name */
	struct stats *stats;
	struct track *track;
	uint8_t due[2][FOLLOW_ACTIONS];	/* steps; [1] of packet commands */
};

/* the caller keeps the other modules; 0 or -ENOMEM */
int follow_init(struct follow *f, const struct options *o,
		struct names *names, struct line *line, struct stats *stats);

void follow_free(struct follow *f);

/* events whose request, beyond INFLIGHT_MAX, is not followed */
uint64_t follow_left_out(const struct follow *f);

/* names the event's process, unless it has a name */
void follow_name(struct follow *f, const struct event *ev, const char *name,
		 size_t len);

/* an event's steps; a note has none.  An unknown action may have another's,
 * without effect */
static inline unsigned int follow_due(const struct follow *f,
				      const struct event *ev)
{
	uint32_t nr = event_number(ev) % FOLLOW_ACTIONS;

	if (UNLIKELY(event_is_note(ev) || event_is_pc(ev)))
		return event_is_note(ev) ? 0 : f->due[1][nr];
	return f->due[0][nr];
}

/* does the steps before counting; may change a completion */
void follow_before_count(struct follow *f, struct event *ev, unsigned int due);

/* does those between counting and the line; returns the line's latency in ns,
 * or LINE_NO_LATENCY */
uint64_t follow_after_count(struct follow *f, const struct event *ev,
			    unsigned int due);

/* does those after the line */
void follow_after_line(struct follow *f, const struct event *ev);

#endif
