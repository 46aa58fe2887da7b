/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The movie as an animated SVG, which any browser plays, also within a page.
 */
#ifndef TOOLS_IOWATCHER_MOVIE_SVG_H
#define TOOLS_IOWATCHER_MOVIE_SVG_H

struct buf;			/* base/buf.h */
struct sources;			/* tools/iowatcher/sources.h */
struct watch_options;		/* tools/iowatcher/options.h */

/* Without memory the program ends. */
void movie_svg_draw(struct buf *b, const struct watch_options *o,
		    const struct sources *s);

#endif
