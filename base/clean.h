/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Text from outside for files of markup: hidden characters (base/escape.h), and
 * bytes that are no UTF-8, become U+FFFD, and what would be markup an escape.
 */
#ifndef BASE_CLEAN_H
#define BASE_CLEAN_H

#include <stddef.h>

struct buf;			/* base/buf.h */

/* escape: what a character is written as; NULL: as itself */
void clean_text(struct buf *b, const char *text, size_t len,
		const char *(*escape)(const char *character));

#endif
