/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Text from outside made harmless for a terminal: bytes of hidden characters,
 * and bytes that are not UTF-8, show as "\x1b".  Hidden are control characters,
 * C1 ones too, and those that have no shape but change what is around them:
 * directions of writing (U+202E), characters of no width, ends of lines.
 */
#ifndef BASE_ESCAPE_H
#define BASE_ESCAPE_H

#include <stdbool.h>
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

/* whether a character of len bytes, as escape_character() counts them, is a
 * hidden one */
bool escape_is_hidden(const char *character, size_t len);

#endif
