/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Names in lines of words: visible ASCII stays, but for % and =; each other
 * byte is % and two hexadecimal digits.
 */
#ifndef BASE_PERCENT_H
#define BASE_PERCENT_H

#include <stddef.h>

/* bytes that one of a name can become */
enum { PERCENT_MAX = 3 };

/*
 * Writes text to to, which has room for PERCENT_MAX times its length and one
 * more, with a NUL.  Returns its length.
 */
size_t percent_encode(char *to, const char *text);

/*
 * The same backwards, of len bytes, to a buffer of size bytes.  Returns its
 * length; -EINVAL: these bytes are no such name; -ENAMETOOLONG.
 */
int percent_decode(char *to, size_t size, const char *text, size_t len);

#endif
