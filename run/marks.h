/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The marks of a run: messages that users write while tracing, by `blktrace
 * --mark` or debugfs' file msg.  Messages of drivers and of blktrace itself are
 * no marks.
 */
#ifndef RUN_MARKS_H
#define RUN_MARKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct event;			/* record/record.h */

enum {
	MARK_TEXT = 127,	/* bytes at most, the kernel's limit */
	MARKS_MAX = 4096,	/* kept; further ones are counted */
};

struct mark {
	uint64_t time;		/* as the event has it */
	uint32_t device;	/* id of the first of its devices */
	uint32_t devices;	/* number of devices that have it */
	uint32_t pid;		/* the writer's */
	uint16_t origin;	/* the machine */
	uint8_t len;		/* bytes of text */
	char text[MARK_TEXT + 1];	/* any bytes, with a NUL, without
					 * trailing newlines */
};

struct marks {
	struct mark *list;	/* in the order of the events */
	size_t count, size;
	uint64_t more;		/* not kept */
};

/* whether a text is a driver's or blktrace's own */
bool mark_is_foreign(const char *text, size_t len);

/* the prefixes of these texts by number, then NULL */
const char *mark_foreign(unsigned int nr);

/* whether marks_take() may keep an event */
bool marks_want(const struct marks *m, const struct event *ev);

/*
 * Keeps an event if it is a mark; time is its time in the run.  The same text
 * of one process to several devices within a second is one mark.
 */
void marks_take(struct marks *m, const struct event *ev, uint64_t time);

/* how many of the kept ones were set up to and at a time */
size_t marks_until(const struct marks *m, uint64_t time);

void marks_free(struct marks *m);

#endif
