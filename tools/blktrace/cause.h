/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Why a dump was written: what is in its cause.json.
 */
#ifndef TOOLS_BLKTRACE_CAUSE_H
#define TOOLS_BLKTRACE_CAUSE_H

#include <stdbool.h>
#include <stdint.h>

#include "request/io.h"
#include "stat/trigger.h"

enum {
	CAUSE_TRIGGER = 256,	/* bytes of a trigger's text that are kept */
	CAUSE_NAME = 64,
	CAUSE_ALSO = 100,	/* more in the window that are listed */
	CAUSE_TEXT = 512,
};

/* what has become true, and when */
struct cause_event {
	char trigger[CAUSE_TRIGGER];
	char value[TRIGGER_VALUE];
	uint64_t time;		/* ns, trace time */
};

struct cause {
	struct cause_event event;
	bool has_io;
	struct io io;
	char device[CAUSE_NAME], process[CAUSE_NAME];	/* of io; or "" */
	uint64_t wall;		/* ns since 1970, of event.time */
	uint64_t from, to;	/* ns, trace time, of the dump */
	uint64_t whole;		/* ns: from when on it is whole */
	uint64_t reach;		/* ns that the ring reached back; 0: to the
				 * beginning */
	struct cause_event also[CAUSE_ALSO];	/* in the same window */
	uint64_t also_count;	/* of all, more than are listed */
	uint64_t suppressed;	/* since the last dump, only counted */
	uint64_t blind;		/* ns of the run that were not watched */
	uint64_t dropped;	/* events that the kernel dropped, so far */
	const char *incomplete;	/* why it is not whole, or NULL */
};

/* "error: errno 5 at 2026-11-20 06:07:10.123456", cut to CAUSE_TEXT */
void cause_text(const struct cause *c, char text[CAUSE_TEXT]);

/* writes cause.json into a directory; 0 or -errno */
int cause_write(const struct cause *c, const char *directory);

#endif
