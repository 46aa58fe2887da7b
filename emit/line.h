/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The default text: one line for each event, without printf or allocation.
 * Texts that seldom change (device and CPU, seconds, process, action and RWBS)
 * are cached.
 */
#ifndef EMIT_LINE_H
#define EMIT_LINE_H

#include <stdint.h>

#include "emit/line_rest.h"	/* LINE_NO_LATENCY */

struct buf;			/* base/buf.h */
struct event;			/* record/record.h */
struct line;
struct names;			/* run/names.h */

enum line_result {
	LINE_SHOWN,
	LINE_HIDDEN,		/* driver data: no line */
	LINE_UNKNOWN,		/* unknown action: no line */
	LINE_NO_ROOM,		/* the buffer has the errno, or no memory */
};

/*
 * For lines in *out; if that is a terminal, names and messages are escaped.
 * Both stay the caller's.  NULL: out of memory.
 */
struct line *line_new(struct buf *out, const struct names *names);

/*
 * Renders *ev, its time relative to the first event, with a latency in ns or
 * LINE_NO_LATENCY.  Sets a remap's device to the one that it leads to.
 */
enum line_result line_event(struct line *l, struct event *ev,
			    uint64_t latency);

/* drops the cached text of a process whose name changed */
void line_forget_name(struct line *l, uint16_t origin, uint32_t pid);

/* the letters of an event's action; NULL: it has no line */
const char *line_action(const struct event *ev);

/* frees l; NULL is fine */
void line_free(struct line *l);

#endif
