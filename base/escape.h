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

/* --- utf8 ----------------------------------------------------------------- */

/*
 * Text from outside made valid UTF-8, for programs that refuse anything else:
 * each byte that is no part of a character becomes U+FFFD.
 */

/* bytes that one of the text can become */
enum { UTF8_MAX = 3 };

/*
 * Renders len bytes of text to to, at most size bytes, cut between characters,
 * without a NUL.  Returns how many bytes that is.  Control characters stay.
 */
size_t utf8_clean(char *to, size_t size, const char *text, size_t len);

/* --- clean ---------------------------------------------------------------- */

/*
 * Text from outside for files of markup: hidden characters (base/escape.h), and
 * bytes that are no UTF-8, become U+FFFD, and what would be markup an escape.
 */

struct buf;			/* base/buf.h */

/* escape: what a character is written as; NULL: as itself */
void clean_text(struct buf *b, const char *text, size_t len,
		const char *(*escape)(const char *character));

/* --- escape --------------------------------------------------------------- */

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
