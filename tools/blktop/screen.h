/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A terminal: lines go out, keys come in.  Which terminal it is, and what it
 * can do, only this knows, by ncurses; screen_none stands for it where that is
 * not there.
 */
#ifndef TOOLS_BLKTOP_SCREEN_H
#define TOOLS_BLKTOP_SCREEN_H

#include <stdbool.h>
#include <stddef.h>

struct display;

enum screen_style {
	SCREEN_PLAIN,
	SCREEN_TITLE,		/* bold */
	SCREEN_HEADING,		/* of columns: reverse */
	SCREEN_CHOSEN,		/* the row that keys are about */
	SCREEN_ALARM,		/* red */
	SCREEN_LATE,		/* red and reverse */
	SCREEN_MAP,		/* cyan */
	SCREEN_HINT,		/* dim */
	SCREEN_STYLES
};

/* keys that are no bytes; others are what was typed, below 256 */
enum screen_key {
	SCREEN_NO_KEY = -1,
	SCREEN_UP = 256,
	SCREEN_DOWN,
	SCREEN_PAGE_UP,
	SCREEN_PAGE_DOWN,
	SCREEN_ENTER,
	SCREEN_ERASE,		/* backspace */
	SCREEN_ESCAPE,
	SCREEN_RESIZED,		/* screen_size() says to what */
	SCREEN_OTHER_KEY,
};

/* directories where what terminals can do may be described, with : between
 * them; the caller's to free.  NULL: none, or there is no memory */
char *screen_places(void);

/* how a terminal was before */
struct screen_before;

/* NULL: the standard output is no terminal, or there is no memory */
struct screen_before *screen_before(void);

/* The terminal is as it was, whatever has happened to it meanwhile; frees b. */
void screen_restore(struct screen_before *b);

/* frees b only */
void screen_before_free(struct screen_before *b);

/*
 * Takes the terminal of the standard output over, keys from /dev/tty.  color:
 * is wanted, if it has any.  0 and *d; -ENOSYS: built without ncurses; -errno:
 * the terminal cannot do that, -ENOTTY if TERM does not name one that is known.
 */
int screen_open(struct display **d, bool color);

/* the terminal is as it was; NULL is fine */
void screen_close(struct display *d);

void screen_size(const struct display *d, unsigned int *width,
		 unsigned int *height);

/* len bytes of text to a line from 0 on, cut at its end, in place of all that
 * was there */
void screen_line(struct display *d, unsigned int line, const char *text,
		 size_t len, enum screen_style style);

/* count columns of a line that was written, from that one on, in another
 * style */
void screen_restyle(struct display *d, unsigned int line, unsigned int column,
		    unsigned int count, enum screen_style style);

/* lines that were not written since the last call are empty; all is shown */
void screen_show(struct display *d);

/* the next key, or SCREEN_NO_KEY after so many ms or a signal */
int screen_key(struct display *d, int ms);

#endif
