/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What iowatcher writes: a picture, its numbers, a movie.
 */
#ifndef TOOLS_IOWATCHER_OUTPUTS_H
#define TOOLS_IOWATCHER_OUTPUTS_H

#include <stdbool.h>
#include <string.h>

/* --- picture -------------------------------------------------------------- */

/*
 * The file of the picture: SVG, or what another program makes of it.
 */

struct sources;			/* tools/iowatcher/sources.h */
struct watch_options;		/* tools/iowatcher/options.h */

/*
 * Writes the options' output; its ending says what it is.  0, or the status to
 * exit with: what is wrong has been reported.
 */
int picture_write(const struct watch_options *o, const struct sources *s);

/* whether another program makes it of ours; there is an output */
bool picture_needs_program(const struct watch_options *o);

/* ticks of an axis of that height, at most */
unsigned int picture_ticks_up(unsigned int height);

/* --- series --------------------------------------------------------------- */

/*
 * The numbers of all graphs, for other programs: as JSON, or as CSV with a file
 * for each graph.
 */

/* One file, "-" for standard output.  Whether all went well; else that has been
 * reported. */
bool series_write_json(const char *path, const struct watch_options *o,
		       const struct sources *s);

/* Files GRAPH.csv in a directory, which is made if it is missing.  The same. */
bool series_write_csv(const char *directory, const struct watch_options *o,
		      const struct sources *s);

/* --- movie svg ------------------------------------------------------------ */

/*
 * The movie as an animated SVG, which any browser plays, also within a page.
 */

struct buf;			/* base/buf.h */

/* Without memory the program ends. */
void movie_svg_draw(struct buf *b, const struct watch_options *o,
		    const struct sources *s);

/* --- video ---------------------------------------------------------------- */

/*
 * The movie as a video file: a YUV4MPEG2 stream, or what ffmpeg makes of it.
 */

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

/* 0, or the status to exit with, all of which has been reported */
int video_write(const struct watch_options *o, const struct sources *s);

/* whether ffmpeg makes it of ours */
bool video_is_encoded(const struct watch_options *o);

#endif
