/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a picture of text may look like: found out by cli/look, drawn by emit.
 */
#ifndef BASE_LOOK_H
#define BASE_LOOK_H

#include <stdbool.h>

/* no picture is made narrower */
enum { LOOK_MIN_WIDTH = 40, LOOK_WIDTH = 80 };

struct look {
	unsigned int width;	/* columns, LOOK_MIN_WIDTH at least; no line is
				 * longer */
	unsigned int height;	/* lines of the terminal; 0: there is none */
	bool utf8;		/* else ASCII */
	bool color;		/* adds to the signs, never replaces them */
};

#endif
