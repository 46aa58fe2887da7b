/* SPDX-License-Identifier: GPL-2.0-only */
/* The names of leftovers; see leftover.h. */
#include "request/leftover.h"

static const char *const leftovers[JOINER_LEFTOVERS] = {
	[JOINER_QUEUE] = "queue",
	[JOINER_NOTE] = "note",
	[JOINER_DATA] = "data",
	[JOINER_UNKNOWN] = "unknown",
	[JOINER_GHOST_C] = "ghost-c",
	[JOINER_LATE_C0] = "late-c0",
	[JOINER_GHOST_M] = "ghost-m",
	[JOINER_GHOST_R] = "ghost-r",
	[JOINER_GHOST_X] = "ghost-x",
	[JOINER_REMAP] = "remap",
	[JOINER_ZONE] = "zone",
};

const char *joiner_leftover_name(enum joiner_leftover l)
{
	return leftovers[l];
}
