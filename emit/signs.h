/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Parts of pictures in text: UTF-8 characters, lines up to a width, and
 * terminal colours.
 */
#ifndef EMIT_SIGNS_H
#define EMIT_SIGNS_H

#include <stdbool.h>
#include <stddef.h>

struct buf;			/* base/buf.h */

/* of 256 colours: one hue from dark to bright, and what others are for */
enum {
	SIGNS_RAMP_1 = 23, SIGNS_RAMP_2 = 30, SIGNS_RAMP_3 = 37,
	SIGNS_RAMP_4 = 44, SIGNS_RAMP_5 = 51, SIGNS_RAMP_6 = 87,
	SIGNS_RAMP_7 = 123, SIGNS_RAMP_8 = 159,
	SIGNS_BLUE = 33, SIGNS_RED = 196, SIGNS_ORANGE = 208,
};

/* a bar's top, in eighths of a cell; 0: a blank */
enum { SIGNS_LEVELS = 8 };
const char *signs_level(bool utf8, unsigned int level);

/* columns of a UTF-8 text, one for each character */
unsigned int signs_width(const char *text);

/* appends at most width columns of text; returns their number */
unsigned int signs_append(struct buf *out, const char *text,
			  unsigned int width);

void signs_repeat(struct buf *out, const char *sign, unsigned int times);

/* switches to one of 256 colours; 0: back to the default */
void signs_color(struct buf *out, unsigned int color);

/* the bytes of a colour switch that text starts with, and the colour; 0: none */
size_t signs_color_at(const char *text, size_t len, unsigned int *color);

#endif
