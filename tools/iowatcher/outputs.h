/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Outputs: a picture, its numbers, a movie.
 */
#ifndef TOOLS_IOWATCHER_OUTPUTS_H
#define TOOLS_IOWATCHER_OUTPUTS_H

#include <stdbool.h>
#include <string.h>

/* --- picture -------------------------------------------------------------- */

/* The file of the picture: SVG, or converted by another program. */

struct sources;			/* tools/iowatcher/sources.h */
struct watch_options;		/* tools/iowatcher/options.h */

/*
 * Writes the options' output, in the format of its ending.  0, or an exit
 * status after a message.
 */
int picture_write(const struct watch_options *o, const struct sources *s);

/* whether another program converts it; there is an output */
bool picture_needs_program(const struct watch_options *o);

/* ticks of an axis of that height, at most */
unsigned int picture_ticks_up(unsigned int height);

/* --- series --------------------------------------------------------------- */

/* The numbers of all graphs, as JSON or as CSV with a file for each graph. */

/* one file, "-" for standard output; false after a message */
bool series_write_json(const char *path, const struct watch_options *o,
		       const struct sources *s);

/* files GRAPH.csv in a directory, made if missing; the same */
bool series_write_csv(const char *directory, const struct watch_options *o,
		      const struct sources *s);

/* --- movie svg ------------------------------------------------------------ */

/* The movie as an animated SVG, which any browser plays, also within a page. */

struct buf;			/* base/buf.h */

/* ends the program without memory */
void movie_svg_draw(struct buf *b, const struct watch_options *o,
		    const struct sources *s);

/* --- own file ------------------------------------------------------------- */

struct opener;			/* base/opener.h */
struct outfile;			/* cli/outfile.h */

/*
 * Opens the file of a picture, "-" for standard output, by o as
 * outfile_open_whole() does; end it by outfile_close() or outfile_discard().  A
 * new file is readable by its owner only; an old one keeps its readers.  False
 * after a message.
 */
bool own_file_open(struct outfile *f, const struct opener *o,
		   const char *path);

/* --- ending --------------------------------------------------------------- */

/* whether a file's name has that ending, and more */
static inline bool ends_in(const char *path, const char *ending)
{
	size_t len = strlen(path), end = strlen(ending);

	return len > end && !strcmp(path + len - end, ending);
}

/* --- video ---------------------------------------------------------------- */

/* The movie as a YUV4MPEG2 stream, or encoded by ffmpeg: 0, or an exit status
 * after a message. */
int video_write(const struct watch_options *o, const struct sources *s);

/* whether ffmpeg encodes it */
bool video_is_encoded(const struct watch_options *o);

#endif
