/* SPDX-License-Identifier: GPL-2.0-only */
/* The terminal, by ncurses; see screen.h. */
#include <curses.h>
#include <errno.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <term.h>
#include <termios.h>
#include <unistd.h>

#include "emit/signs.h"
#include "tools/blktop/screen.h"

/* how long the bytes of a key after ESC may take, ms */
enum { ESCAPE_DELAY = 50 };

/*
 * What a colour of emit/signs.h is on terminals with fewer than 256: the ramp in
 * three steps, from dim to bold.  Its index and 1 is the number of its pair, as
 * 0 is the terminal's default.
 */
static const struct hue {
	unsigned char wide, narrow;
	chtype marks;		/* if narrow */
} hues[] = {
	{ SIGNS_RED, COLOR_RED, 0 },
	{ SIGNS_BLUE, COLOR_BLUE, 0 },
	{ SIGNS_ORANGE, COLOR_YELLOW, 0 },
	{ SIGNS_RAMP_1, COLOR_CYAN, A_DIM },
	{ SIGNS_RAMP_2, COLOR_CYAN, A_DIM },
	{ SIGNS_RAMP_3, COLOR_CYAN, A_DIM },
	{ SIGNS_RAMP_4, COLOR_CYAN, 0 },
	{ SIGNS_RAMP_5, COLOR_CYAN, 0 },
	{ SIGNS_RAMP_6, COLOR_CYAN, 0 },
	{ SIGNS_RAMP_7, COLOR_CYAN, A_BOLD },
	{ SIGNS_RAMP_8, COLOR_CYAN, A_BOLD },
};

enum { HUES = sizeof(hues) / sizeof(*hues), PAIR_RED = 1, WIDE = 256 };

struct screen_before {
	struct termios mode;
};

struct display {
	FILE *keys;		/* /dev/tty */
	SCREEN *screen;
	bool color, wide;	/* any colours; 256 */
	unsigned int next;	/* the first line not yet written */
};

/* --- descriptions of terminals --------------------------------------------- */

/* beside the system's directories */
char *screen_places(void)
{
	const char *own = getenv("TERMINFO"), *more = getenv("TERMINFO_DIRS");
	const char *home = getenv("HOME");
	char *places;

	return asprintf(&places, "/etc/terminfo:/usr/share/terminfo:"
			"%s:%s:%s%s", own ? own : "", more ? more : "",
			home ? home : "", home ? "/.terminfo" : "") < 0 ?
	       NULL : places;
}

bool screen_is_able(void)
{
	const char *place;
	bool able;
	int err;

	if (!isatty(STDOUT_FILENO) ||
	    setupterm(NULL, STDOUT_FILENO, &err) != OK)
		return false;
	place = tigetstr("cup");
	able = place && place != (const char *)-1;
	del_curterm(cur_term);
	return able;
}

/* --- restoring ------------------------------------------------------------ */

struct screen_before *screen_before(void)
{
	struct screen_before *b = malloc(sizeof(*b));

	if (b && !tcgetattr(STDOUT_FILENO, &b->mode))
		return b;
	free(b);
	return NULL;
}

void screen_before_free(struct screen_before *b)
{
	free(b);
}

/* sends terminfo's string of a capability, if there is one */
static void send_string(const char *capability)
{
	const char *text = tigetstr(capability);

	if (text && text != (const char *)-1)
		putp(text);
}

void screen_restore(struct screen_before *b)
{
	static const char *const ends[] = { "sgr0", "cnorm", "rmkx", "rmcup" };
	int err;

	if (setupterm(NULL, STDOUT_FILENO, &err) == OK) {
		for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++)
			send_string(ends[i]);
		fflush(stdout);
	}
	if (b)
		tcsetattr(STDOUT_FILENO, TCSADRAIN, &b->mode);
	free(b);
}

/* --- open and close ------------------------------------------------------- */

static void set_colors(struct display *d, bool wanted)
{
	d->color = wanted && has_colors();
	if (!d->color)
		return;
	start_color();
	use_default_colors();
	d->wide = COLORS >= WIDE;
	for (short i = 0; i < HUES; i++)
		init_pair((short)(i + 1),
			  d->wide ? hues[i].wide : hues[i].narrow, -1);
}

static void set_modes(void)
{
	cbreak();
	noecho();
	nonl();
	keypad(stdscr, TRUE);
	set_escdelay(ESCAPE_DELAY);
	curs_set(0);
}

int screen_open(struct display **out, bool color)
{
	struct display *d = calloc(1, sizeof(*d));
	int err = -ENOMEM;

	*out = NULL;
	if (!d)
		return err;
	d->keys = fopen("/dev/tty", "r");
	if (!d->keys) {
		err = -errno;
		goto out;
	}
	/* UTF-8, if the locale has it */
	setlocale(LC_CTYPE, "");
	d->screen = newterm(NULL, stdout, d->keys);
	if (!d->screen) {
		err = -ENOTTY;
		goto out;
	}
	set_modes();
	set_colors(d, color);
	*out = d;
	return 0;
out:
	if (d->keys)
		fclose(d->keys);
	free(d);
	return err;
}

void screen_close(struct display *d)
{
	if (!d)
		return;
	endwin();
	delscreen(d->screen);
	fclose(d->keys);
	free(d);
}

/* --- lines ---------------------------------------------------------------- */

bool screen_has_color(const struct display *d)
{
	return d->color;
}

void screen_size(const struct display *d, unsigned int *width,
		 unsigned int *height)
{
	(void)d;
	*width = (unsigned int)getmaxx(stdscr);
	*height = (unsigned int)getmaxy(stdscr);
}

static chtype attributes(const struct display *d, enum screen_style style)
{
	const chtype marks[SCREEN_STYLES] = {
		[SCREEN_TITLE] = A_BOLD,
		[SCREEN_HEADING] = A_REVERSE,
		[SCREEN_CHOSEN] = A_BOLD | A_UNDERLINE,
		[SCREEN_ALARM] = A_BOLD,
		[SCREEN_LATE] = A_BOLD | A_REVERSE,
		[SCREEN_HINT] = A_DIM,
	};
	chtype pair = 0;

	if (d->color && (style == SCREEN_ALARM || style == SCREEN_LATE))
		pair = COLOR_PAIR(PAIR_RED);
	return marks[style] | pair;
}

/* attributes of a colour of emit/signs.h */
static chtype hue(const struct display *d, unsigned int color)
{
	for (unsigned int i = 0; d->color && i < HUES; i++)
		if (hues[i].wide == color)
			return COLOR_PAIR(i + 1) | (d->wide ? 0 : hues[i].marks);
	return 0;
}

/* text with switches of colour */
static void put_text(const struct display *d, const char *text, size_t len,
		     chtype style)
{
	while (len) {
		const char *next = memchr(text + 1, '\033', len - 1);
		size_t n = next ? (size_t)(next - text) : len;
		unsigned int color;
		size_t skip = signs_color_at(text, n, &color);

		if (skip)
			attrset((attr_t)(style | hue(d, color)));
		addnstr(text + skip, (int)(n - skip));
		text += n;
		len -= n;
	}
}

static void clear_line(unsigned int line)
{
	move((int)line, 0);
	clrtoeol();
}

void screen_line(struct display *d, unsigned int line, const char *text,
		 size_t len, enum screen_style style)
{
	if (line >= (unsigned int)getmaxy(stdscr))
		return;
	attrset((attr_t)attributes(d, style));
	clear_line(line);
	put_text(d, text, len, attributes(d, style));
	/* a heading fills the line */
	if (style == SCREEN_HEADING && getcury(stdscr) == (int)line)
		hline(' ' | attributes(d, style), getmaxx(stdscr));
	attrset(A_NORMAL);
	d->next = line + 1;
}

void screen_restyle(struct display *d, unsigned int line, unsigned int column,
		    unsigned int count, enum screen_style style)
{
	chtype marks = attributes(d, style);

	if (line < (unsigned int)getmaxy(stdscr) &&
	    column < (unsigned int)getmaxx(stdscr))
		mvchgat((int)line, (int)column, (int)count,
			(attr_t)(marks & A_ATTRIBUTES & ~A_COLOR),
			(short)PAIR_NUMBER(marks), NULL);
}

void screen_show(struct display *d)
{
	if (d->next < (unsigned int)getmaxy(stdscr)) {
		move((int)d->next, 0);
		clrtobot();
	}
	d->next = 0;
	refresh();
}

/* --- keys ----------------------------------------------------------------- */

static const struct {
	int curses;
	enum screen_key key;
} keys[] = {
	{ ERR, SCREEN_NO_KEY }, { KEY_UP, SCREEN_UP },
	{ KEY_DOWN, SCREEN_DOWN }, { KEY_PPAGE, SCREEN_PAGE_UP },
	{ KEY_NPAGE, SCREEN_PAGE_DOWN }, { KEY_ENTER, SCREEN_ENTER },
	{ '\r', SCREEN_ENTER }, { '\n', SCREEN_ENTER },
	{ KEY_BACKSPACE, SCREEN_ERASE }, { '\b', SCREEN_ERASE },
	{ 0x7f, SCREEN_ERASE }, { 0x1b, SCREEN_ESCAPE },
	{ KEY_RESIZE, SCREEN_RESIZED },
};

int screen_key(struct display *d, int ms)
{
	int key;

	(void)d;
	timeout(ms);
	key = getch();
	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++)
		if (keys[i].curses == key)
			return keys[i].key;
	return key < 256 ? key : SCREEN_OTHER_KEY;
}
