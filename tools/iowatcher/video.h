/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The movie as a video file: a YUV4MPEG2 stream, or what ffmpeg makes of it.
 */
#ifndef TOOLS_IOWATCHER_VIDEO_H
#define TOOLS_IOWATCHER_VIDEO_H

#include <stdbool.h>

struct sources;			/* tools/iowatcher/sources.h */
struct watch_options;		/* tools/iowatcher/options.h */

/* 0, or the status to exit with, all of which has been reported */
int video_write(const struct watch_options *o, const struct sources *s);

/* whether ffmpeg makes it of ours */
bool video_is_encoded(const struct watch_options *o);

#endif
