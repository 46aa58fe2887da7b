/* SPDX-License-Identifier: GPL-2.0-only */
/* The width, characters and colours of text: set by cli/look, for emit/. */
#ifndef BASE_LOOK_H
#define BASE_LOOK_H

#include <stdbool.h>

enum { LOOK_MIN_WIDTH = 40, LOOK_WIDTH = 80 };

struct look {
	unsigned int width;	/* the most columns, at least LOOK_MIN_WIDTH */
	unsigned int height;	/* lines of the terminal; 0: none */
	bool utf8;		/* else ASCII */
	bool color;		/* in addition to signs, never alone */
};

#endif
