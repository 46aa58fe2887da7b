/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Custom formats (-f, -F), compiled once and rendered for every event.
 * The specifiers are described in doc/blkparse.1, section FORMATS.
 */
#ifndef EMIT_FORMAT_H
#define EMIT_FORMAT_H

#include <stdint.h>

struct buf;			/* base/buf.h */
struct clock;			/* record/clock.h */
struct event;			/* record/record.h */
struct format;
struct names;			/* run/names.h */

/* compiles text, which is copied; NULL: out of memory */
struct format *format_new(const char *text);

/* from now on, control characters of process names are escaped */
void format_set_terminal(struct format *f);

enum format_result {
	FORMAT_SHOWN,
	FORMAT_NO_LATENCY,	/* it wants one and there is none */
	FORMAT_BAD_ESCAPE,	/* format_bad_escape() is the character */
	FORMAT_NO_ROOM,		/* the buffer has the errno */
};

/* what formats need to know beyond the event */
struct format_context {
	struct buf *out;
	const struct names *names;
	const struct clock *clock;
};

/*
 * Renders *ev, its time relative to the first event, with a latency in ns or
 * LINE_NO_LATENCY.  What stands before an error is rendered.
 */
enum format_result format_event(struct format *f,
				const struct format_context *c,
				const struct event *ev, uint64_t latency);

/* the character that made FORMAT_BAD_ESCAPE */
char format_bad_escape(const struct format *f);

/* frees f; NULL is fine */
void format_free(struct format *f);

#endif
