/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a picture is of, in a line: devices, host, date and time span.
 */
#ifndef TOOLS_IOWATCHER_ABOUT_H
#define TOOLS_IOWATCHER_ABOUT_H

#include <stddef.h>

struct sources;			/* tools/iowatcher/sources.h */
struct time_frame;		/* tools/iowatcher/figure.h */

enum { ABOUT_MAX = 512 };	/* with its NUL */

/*
 * "sda on db1, 2026-01-30 14:25:36 to 14:25:46 UTC (10.1 s)": each trace with
 * what is known of it, in at most width columns.  "" without traces.  Names are
 * as recorded: not escaped.
 */
void about_text(char text[ABOUT_MAX], const struct sources *s,
		const struct time_frame *frame, unsigned int width);

#endif
