/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The movie frame by frame, as a YUV4MPEG2 stream: the same as the animated
 * SVG, with digits as its only text.
 */
#ifndef TOOLS_IOWATCHER_MOVIE_FRAMES_H
#define TOOLS_IOWATCHER_MOVIE_FRAMES_H

#include <stddef.h>
#include <stdint.h>

/* --- canvas --------------------------------------------------------------- */

/*
 * A frame of a movie as pixels, in YUV with full resolution of colours, as
 * YUV4MPEG2 streams have it.  What would be outside is not drawn.
 */

struct buf;			/* base/buf.h */

struct canvas {
	unsigned int width, height;
	uint8_t *planes;	/* Y, U and V, one behind the other */
};

/* a colour as the planes have it */
struct canvas_color {
	uint8_t part[3];
};

struct canvas_color canvas_color(int32_t rgb);

/* 0 or -ENOMEM; all is to be drawn */
int canvas_init(struct canvas *c, unsigned int width, unsigned int height);
void canvas_free(struct canvas *c);

/* all pixels of another of the same size */
void canvas_copy(struct canvas *c, const struct canvas *from);

void canvas_rect(struct canvas *c, int x, int y, int width, int height,
		 struct canvas_color color);
void canvas_line(struct canvas *c, double x0, double y0, double x1, double y1,
		 struct canvas_color color);

/* digits, points and blanks, 12 px high; other characters are blanks */
void canvas_digits(struct canvas *c, int x, int y, const char *text,
		   struct canvas_color color);

/* a pixel, which is inside: row by row from the top */
void canvas_set(struct canvas *c, size_t pixel, struct canvas_color color);

/* the stream's head, and a frame of it */
void canvas_write_head(const struct canvas *c, struct buf *b,
		       unsigned int rate);
void canvas_write(const struct canvas *c, struct buf *b);

/* --- movie frames --------------------------------------------------------- */

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
