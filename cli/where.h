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
 * These three lines to buf, without the last newline.  option is the name of
 * the option, at the byte of the mistake in text, which is cut around it and
 * escaped for terminals.
 */
void where_text(char buf[WHERE_MAX], const char *option, const char *text,
		size_t at, const char *phrase);

#endif
