/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The marks of a run: messages by which people label what they do while they
 * trace, as `blktrace --mark` writes them, or whoever writes to debugfs' file
 * msg.  What drivers and blktrace itself report in the same way is none.
 */
#ifndef RUN_MARKS_H
#define RUN_MARKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct event;			/* record/record.h */

enum {
	MARK_TEXT = 127,	/* bytes, at most: the kernel takes no more */
	MARKS_MAX = 4096,	/* that are kept; later ones are counted */
};

struct mark {
	uint64_t time;		/* as the event has it */
	uint32_t device;	/* id of the first of its devices */
	uint32_t devices;	/* how many have it: one call, several traces */
	uint32_t pid;		/* who wrote it */
	uint16_t origin;	/* the machine */
	uint8_t len;		/* bytes of text */
	char text[MARK_TEXT + 1];	/* any bytes; newlines at its end and
				 * what follows a NUL are off, a NUL is behind
				 * it */
};

struct marks {
	struct mark *list;	/* in the order of the events */
	size_t count, size;
	uint64_t more;		/* for which there was no room */
};

/* whether a text is of the kernel's drivers, or blktrace's own */
bool mark_is_foreign(const char *text, size_t len);

/* what such texts begin with, NULL behind the last */
const char *mark_foreign(unsigned int nr);

/*
 * Keeps an event if it is a mark; time: its own in the run.  What one process
 * writes with the same words to several devices within a second is one mark.
 */
void marks_take(struct marks *m, const struct event *ev, uint64_t time);

/* how many of those that are kept were set by then, at that time included */
size_t marks_until(const struct marks *m, uint64_t time);

void marks_free(struct marks *m);

#endif
