/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Makes foreign text safe for terminals, markup, and programs that need UTF-8.
 *
 * Hidden characters are control characters, C1 too, and those without a shape
 * that change the text around them: writing directions (U+202E), characters of
 * no width, line ends.
 */
#ifndef BASE_ESCAPE_H
#define BASE_ESCAPE_H

#include <stdbool.h>
#include <stddef.h>

struct buf;			/* base/buf.h */

/* the most bytes that one byte of text becomes */
enum { UTF8_MAX = 3, ESCAPE_MAX = 4 };

/* U+FFFD */
#define UTF8_REPLACEMENT "\xef\xbf\xbd"

/*
 * For terminals: bytes of hidden characters, and bytes that are not UTF-8,
 * become "\x1b".  Up to size - 1 bytes of whole characters, and a NUL.  Returns
 * their number.
 */
size_t escape_text(char *to, size_t size, const char *text, size_t len);

/*
 * For programs that need UTF-8: other bytes become U+FFFD, control characters
 * stay.  Up to size bytes of whole characters, without a NUL.  Returns their
 * number.
 */
size_t utf8_clean(char *to, size_t size, const char *text, size_t len);

/*
 * For markup: hidden characters, and bytes that are not UTF-8, become U+FFFD,
 * others what escape() returns, NULL: themselves.
 */
void clean_text(struct buf *b, const char *text, size_t len,
		const char *(*escape)(const char *character));

/* The bytes of the UTF-8 character at text, control characters too, of at most
 * len bytes; 0: none. */
size_t escape_character(const char *text, size_t len);

/* whether a character of escape_character() is hidden */
bool escape_is_hidden(const char *character, size_t len);

#endif
