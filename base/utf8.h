/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Text from outside made valid UTF-8, for programs that refuse anything else:
 * each byte that is no part of a character becomes U+FFFD.
 */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include <stddef.h>

/* bytes that one of the text can become */
enum { UTF8_MAX = 3 };

/*
 * Renders len bytes of text to to, up to size bytes and whole characters; no
 * NUL is put behind them.  Returns their number.  Control characters stay.
 */
size_t utf8_clean(char *to, size_t size, const char *text, size_t len);

#endif
