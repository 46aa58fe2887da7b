/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Text from outside made harmless for a terminal: control characters, C1 ones
 * too, and bytes that are not UTF-8 show as "\x1b".
 */
#ifndef BASE_ESCAPE_H
#define BASE_ESCAPE_H

#include <stddef.h>

/* bytes that one of the text can become */
enum { ESCAPE_MAX = 4 };

/*
 * Renders len bytes of text to to, up to size - 1 bytes and whole characters,
 * and a NUL behind them.  Returns their number.
 */
size_t escape_text(char *to, size_t size, const char *text, size_t len);

/*
 * How many bytes the character of UTF-8 at text has, control characters too,
 * of len that there are; 0: there is none.
 */
size_t escape_character(const char *text, size_t len);

#endif
