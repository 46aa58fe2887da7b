/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What pictures of text have in common: cells of more than a byte, lines that
 * do not pass a width, and colours of a terminal.
 */
#ifndef EMIT_SIGNS_H
#define EMIT_SIGNS_H

struct buf;			/* base/buf.h */

/* columns that a text of UTF-8 takes, a character each */
unsigned int signs_width(const char *text);

/* appends text, width columns of it at most; returns how many it took */
unsigned int signs_append(struct buf *out, const char *text,
			  unsigned int width);

/* appends a sign so many times */
void signs_repeat(struct buf *out, const char *sign, unsigned int times);

/* from here on in this of 256 colours; 0: in none */
void signs_color(struct buf *out, unsigned int color);

#endif
