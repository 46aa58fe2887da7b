/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The file of the picture: SVG, or what another program makes of it.
 */
#ifndef TOOLS_IOWATCHER_PICTURE_H
#define TOOLS_IOWATCHER_PICTURE_H

#include <stdbool.h>

struct sources;			/* tools/iowatcher/sources.h */
struct watch_options;		/* tools/iowatcher/options.h */

/*
 * Writes the options' output; its ending says what it is.  0, or the status to
 * exit with: what is wrong has been reported.
 */
int picture_write(const struct watch_options *o, const struct sources *s);

/* whether another program makes it of ours; there is an output */
bool picture_needs_program(const struct watch_options *o);

#endif
