/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A mistake in an expression, shown in its place:
 *
 *	--where: a time needs its unit (ns us ms s m)
 *	  op==read && d2c > 5
 *	                     ^
 */
#ifndef CLI_WHERE_H
#define CLI_WHERE_H

#include <stddef.h>

enum {
	WHERE_SHOWN = 74,	/* bytes of the expression's line at most */
	WHERE_MAX = 512,	/* of all three lines, with a NUL */
};

/*
 * Those three lines to buf, without a newline behind the last: option is what
 * the user calls it, at the place of the mistake in text, in bytes, phrase
 * says what it is.  A long text is cut around that place, and made harmless
 * for a terminal.
 */
void where_text(char buf[WHERE_MAX], const char *option, const char *text,
		size_t at, const char *phrase);

#endif
