/* SPDX-License-Identifier: GPL-2.0-only */
/* Replaces screen.c in a build without ncurses: screen_open() fails.  See
 * screen.h. */
#include <errno.h>

#include "tools/blktop/screen.h"

char *screen_places(void)
{
	return NULL;
}

bool screen_is_able(void)
{
	return false;
}

struct screen_before *screen_before(void)
{
	return NULL;
}

void screen_restore(struct screen_before *b)
{
	(void)b;
}

void screen_before_free(struct screen_before *b)
{
	(void)b;
}

int screen_open(struct display **d, bool color)
{
	(void)color;
	*d = NULL;
	return -ENOSYS;
}

void screen_close(struct display *d)
{
	(void)d;
}

void screen_restyle(struct display *d, unsigned int line, unsigned int column,
		    unsigned int count, enum screen_style style)
{
	(void)d;
	(void)line;
	(void)column;
	(void)count;
	(void)style;
}

bool screen_has_color(const struct display *d)
{
	(void)d;
	return false;
}

void screen_size(const struct display *d, unsigned int *width,
		 unsigned int *height)
{
	(void)d;
	*width = *height = 0;
}

void screen_line(struct display *d, unsigned int line, const char *text,
		 size_t len, enum screen_style style)
{
	(void)d;
	(void)line;
	(void)text;
	(void)len;
	(void)style;
}

void screen_show(struct display *d)
{
	(void)d;
}

int screen_key(struct display *d, int ms)
{
	(void)d;
	(void)ms;
	return SCREEN_NO_KEY;
}
