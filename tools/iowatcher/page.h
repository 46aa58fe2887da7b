/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The picture: all graphs of all traces, drawn as one SVG document.
 */
#ifndef TOOLS_IOWATCHER_PAGE_H
#define TOOLS_IOWATCHER_PAGE_H

#include <stddef.h>

struct buf;			/* base/buf.h */
struct sources;			/* tools/iowatcher/sources.h */
struct watch_options;		/* tools/iowatcher/options.h */

/* Without memory the program ends. */
void page_draw(struct buf *b, const struct watch_options *o,
	       const struct sources *s);

#endif
