/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The movie frame by frame, as a YUV4MPEG2 stream: the same as the animated
 * SVG, with digits as its only text.
 */
#ifndef TOOLS_IOWATCHER_MOVIE_FRAMES_H
#define TOOLS_IOWATCHER_MOVIE_FRAMES_H

struct buf;			/* base/buf.h */
struct sources;			/* tools/iowatcher/sources.h */
struct watch_options;		/* tools/iowatcher/options.h */

/*
 * Writes all frames to all outputs, at least one, until one of them fails: its
 * buffer then has the error; or until a signal comes.  Without memory the
 * program ends.
 */
void movie_frames_write(struct buf *const outputs[], unsigned int count,
			const struct watch_options *o, const struct sources *s);

#endif
