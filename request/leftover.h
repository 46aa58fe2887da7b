/* SPDX-License-Identifier: GPL-2.0-only */
/* Counts of events without an I/O, and of what joining corrected. */
#ifndef REQUEST_LEFTOVER_H
#define REQUEST_LEFTOVER_H

#include <stdint.h>

/* events that belong to no I/O */
enum joiner_leftover {
	JOINER_QUEUE,		/* P U UT: of a plug */
	JOINER_NOTE,		/* messages */
	JOINER_DATA,		/* a driver's own data */
	JOINER_UNKNOWN,		/* unknown action */
	JOINER_GHOST_C,		/* C with no other event seen */
	JOINER_LATE_C0,		/* C without bytes after the end */
	JOINER_GHOST_M,		/* M of a request whose start was not seen */
	JOINER_GHOST_R,
	JOINER_GHOST_X,
	JOINER_REMAP,		/* A without an I/O */
	JOINER_ZONE,		/* ZP ZU of an I/O not seen */
	JOINER_LEFTOVERS
};

struct joiner_counts {
	uint64_t leftovers[JOINER_LEFTOVERS];
	uint64_t leftover_bytes;	/* of the C events among them */
	uint64_t losses;	/* times that missing events were found */
	uint64_t evicted;	/* I/Os dropped as too many were open */
	uint64_t clamped;	/* times earlier than the one before */
};

/* a leftover's name in files and tables: "ghost-c" */
const char *joiner_leftover_name(enum joiner_leftover l);

#endif
