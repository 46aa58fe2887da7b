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

#include "trace/names.h"
#include "trace/record.h"

struct line;			/* emit/line.h */
struct options;			/* tools/blkparse/options.h */
struct stats;			/* stats.h */
struct track;			/* tools/blkparse/track.h */

struct follow {
	const struct options *o;
	struct names *names;
	struct line *line;	/* renders anew what a name is in */
	struct stats *stats;
	struct track *track;
	uint32_t actions;	/* bits of those that need this */
};

/* The other modules stay the caller's.  0, or -ENOMEM. */
int follow_init(struct follow *f, const struct options *o,
		struct names *names, struct line *line, struct stats *stats);

void follow_free(struct follow *f);

/* the event's process is called that, unless it has a name */
void follow_name(struct follow *f, const struct event *ev, const char *name,
		 size_t len);

/* whether the three calls below are due for an event */
static inline bool follow_is_due(const struct follow *f,
				 const struct event *ev)
{
	const uint32_t always = BLK_TC_ACT(BLK_TC_NOTIFY) |
				BLK_TC_ACT(BLK_TC_PC);

	return ev->action & always ||
	       f->actions >> (event_number(ev) % 32) & 1;
}

/* a completion may become that of a whole split request */
void follow_before_count(struct follow *f, struct event *ev);

/* the latency that the event's line shows, in ns, or LINE_NO_LATENCY */
uint64_t follow_after_count(struct follow *f, const struct event *ev);

void follow_after_line(struct follow *f, const struct event *ev);

#endif
