/* SPDX-License-Identifier: GPL-2.0-only */
/* The width, characters and colours of text; see look.h. */
#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/look.h"
#include "cli/look.h"

/* does not change the program's locale */
static bool locale_is_utf8(void)
{
	locale_t l = newlocale(LC_CTYPE_MASK, "", NULL);
	bool utf8;

	if (!l)
		return false;
	utf8 = !strcmp(nl_langinfo_l(CODESET, l), "UTF-8");
	freelocale(l);
	return utf8;
}

static bool terminal_has_color(void)
{
	const char *term = getenv("TERM");
	const char *no = getenv("NO_COLOR");

	return term && *term && strcmp(term, "dumb") && !(no && *no);
}

static bool color_wanted(const char *wish, bool terminal)
{
	if (wish && !strcmp(wish, "always"))
		return true;
	if (wish && !strcmp(wish, "never"))
		return false;
	return terminal && terminal_has_color();
}

void look_init(struct look *l, const struct look_options *o, int fd)
{
	struct winsize size = { 0 };
	bool terminal = isatty(fd);

	if (terminal && ioctl(fd, TIOCGWINSZ, &size))
		size = (struct winsize){ 0 };
	l->width = o->width ? o->width : size.ws_col ? size.ws_col : LOOK_WIDTH;
	if (l->width < LOOK_MIN_WIDTH)
		l->width = LOOK_MIN_WIDTH;
	l->height = size.ws_row;
	l->utf8 = !o->ascii && locale_is_utf8();
	l->color = color_wanted(o->color, terminal);
}
