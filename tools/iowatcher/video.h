/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The movie as a video file: a YUV4MPEG2 stream, or what ffmpeg makes of it.
 */
#ifndef TOOLS_IOWATCHER_VIDEO_H
#define TOOLS_IOWATCHER_VIDEO_H

#include <stdbool.h>
#include <string.h>

/* --- own file ------------------------------------------------------------- */

/*
 * How a picture's file is opened: whole or not there, and its owner's alone.
 */

struct opener;			/* base/opener.h */
struct outfile;			/* cli/outfile.h */

/*
 * Opens path, "-" for standard output, by o as outfile_open_whole() does;
 * outfile_close() or outfile_discard() ends it.  A file that was there stays readable by those by whom it was.
 * Whether it could be opened; else that has been reported.
 */
bool own_file_open(struct outfile *f, const struct opener *o,
		   const char *path);

/* --- ending --------------------------------------------------------------- */

/*
 * What a file's name says that it is.
 */

/* whether a name ends so, and is not just that */
static inline bool ends_in(const char *path, const char *ending)
{
	size_t len = strlen(path), end = strlen(ending);

	return len > end && !strcmp(path + len - end, ending);
}

/* --- video ---------------------------------------------------------------- */

struct sources;			/* tools/iowatcher/sources.h */
struct watch_options;		/* tools/iowatcher/options.h */

/* 0, or the status to exit with, all of which has been reported */
int video_write(const struct watch_options *o, const struct sources *s);

/* whether ffmpeg makes it of ours */
bool video_is_encoded(const struct watch_options *o);

#endif
