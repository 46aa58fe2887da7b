/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The terminal, by ncurses: shows lines, reads keys.  screen_none.c replaces it
 * in a build without ncurses.
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
	SCREEN_CHOSEN,		/* the selected row */
	SCREEN_ALARM,		/* red */
	SCREEN_LATE,		/* red and reverse */
	SCREEN_HINT,		/* dim */
	SCREEN_STYLES
};

/* keys other than bytes, which are below 256 */
enum screen_key {
	SCREEN_NO_KEY = -1,
	SCREEN_UP = 256,
	SCREEN_DOWN,
	SCREEN_PAGE_UP,
	SCREEN_PAGE_DOWN,
	SCREEN_ENTER,
	SCREEN_ERASE,		/* backspace */
	SCREEN_ESCAPE,
	SCREEN_RESIZED,		/* see screen_size() */
	SCREEN_OTHER_KEY,
};

/* The directories of terminfo, separated by ":", to be freed by the caller.
 * NULL: none, or no memory. */
char *screen_places(void);

/* whether standard output is a terminal that can place text (not TERM=dumb) */
bool screen_is_able(void);

/* the state of a terminal before screen_open() */
struct screen_before;

/* NULL: standard output is no terminal, or no memory */
struct screen_before *screen_before(void);

/* restores the terminal, in whatever state it is; frees b */
void screen_restore(struct screen_before *b);

/* frees b, leaves the terminal alone */
void screen_before_free(struct screen_before *b);

/*
 * Takes over the terminal of standard output; keys are read from /dev/tty.
 * color: use colors, if it has any.  0 and *d; -ENOSYS: built without ncurses;
 * -ENOTTY: TERM names no known terminal; or another -errno.
 */
int screen_open(struct display **d, bool color);

/* restores the terminal; accepts NULL */
void screen_close(struct display *d);

bool screen_has_color(const struct display *d);

void screen_size(const struct display *d, unsigned int *width,
		 unsigned int *height);

/* replaces a line, from 0 on, by len bytes of text, cut at the line's end; text
 * may switch colours by signs_color() */
void screen_line(struct display *d, unsigned int line, const char *text,
		 size_t len, enum screen_style style);

/* changes the style of count columns, from column on, of a written line */
void screen_restyle(struct display *d, unsigned int line, unsigned int column,
		    unsigned int count, enum screen_style style);

/* shows all lines; those not written since the last call are empty */
void screen_show(struct display *d);

/* the next key, or SCREEN_NO_KEY after ms or a signal */
int screen_key(struct display *d, int ms);

#endif
