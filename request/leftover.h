/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What joining leaves over, and what it had to do: for those who judge a trace.
 */
#ifndef REQUEST_LEFTOVER_H
#define REQUEST_LEFTOVER_H

#include <stdint.h>

/* events that belong to no io */
enum joiner_leftover {
	JOINER_QUEUE,		/* P U UT: a plug's, not a request's */
	JOINER_NOTE,		/* messages */
	JOINER_DATA,		/* a driver's own data */
	JOINER_UNKNOWN,		/* an action that has no meaning here */
	JOINER_GHOST_C,		/* C of what was under way before the trace, or
				 * whose events are lost */
	JOINER_LATE_C0,		/* C of no bytes behind the end */
	JOINER_GHOST_M,		/* M of a request whose start was not seen */
	JOINER_GHOST_R,
	JOINER_GHOST_X,
	JOINER_REMAP,		/* A after which no io came */
	JOINER_ZONE,		/* ZP ZU of an io that was not seen */
	JOINER_LEFTOVERS
};

struct joiner_counts {
	uint64_t leftovers[JOINER_LEFTOVERS];
	uint64_t leftover_bytes;	/* of the C events among them */
	uint64_t losses;	/* how often it was found that events are
				 * missing */
	uint64_t evicted;	/* ios that went as too many were open */
	uint64_t clamped;	/* times earlier than the one before them */
};

/* the word for a class of leftovers in files and tables: "ghost-c" */
const char *joiner_leftover_name(enum joiner_leftover l);

#endif
