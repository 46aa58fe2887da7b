/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The width, characters and colours of text, by the options --width, --ascii
 * and --color, the terminal and the environment.
 */
#ifndef CLI_LOOK_H
#define CLI_LOOK_H

#include <stdbool.h>

struct look;			/* base/look.h */

/* --color's argument */
#define LOOK_COLORS "auto|always|never"

struct look_options {
	unsigned int width;	/* 0: not given */
	bool ascii;
	const char *color;	/* one of LOOK_COLORS; NULL: auto */
};

/*
 * Fills in *l for output to fd.  Width: the option's, else the terminal's, else
 * 80.  UTF-8: by the locale in the environment.  Colour auto: if fd is a
 * terminal, TERM is neither unset nor dumb, and NO_COLOR is unset or empty.
 */
void look_init(struct look *l, const struct look_options *o, int fd);

#endif
