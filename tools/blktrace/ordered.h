/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The events of a ring while it is written, in the order of their times.
 *
 * An event is handed out when no CPU can bring an older one: each has one that
 * is not older, or has said that all before that time has come.  So nothing is
 * held by a clock, and nothing is copied.
 */
#ifndef TOOLS_BLKTRACE_ORDERED_H
#define TOOLS_BLKTRACE_ORDERED_H

#include <stdbool.h>
#include <stdint.h>

#include "base/bracket.h"
#include "record/record.h"

struct chunk_lane;		/* capture/to/chunks.h */
struct chunks;
struct ordered_lane;

struct ordered {
	struct chunks *chunks;
	const struct layout *forms[2];	/* of versions 7 and 8 */
	struct ordered_lane *lanes;	/* by their numbers in chunks */
	struct bracket bracket;
	bool given;		/* the winner's front has been handed out */
	struct event event;
	uint64_t blind;		/* ns that went unread; sum of all skips */
	/* of the event handed out last: */
	const struct chunk_lane *lane;
	bool gap;		/* events of its lane are missing before it */
};

/* Of all lanes that there are; begin: ns, when tracing began.  0 or -ENOMEM;
 * to be freed in either case. */
int ordered_init(struct ordered *o, struct chunks *c, uint64_t begin);
void ordered_free(struct ordered *o);

/* the next event, good until the next call; NULL: none can be given now */
const struct event *ordered_next(struct ordered *o);

/* ns: after a NULL, all events before this time have been given; UINT64_MAX:
 * that was all */
uint64_t ordered_time(const struct ordered *o);

#endif
