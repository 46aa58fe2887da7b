/* SPDX-License-Identifier: GPL-2.0-only */
/* The file of the picture; see picture.h. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "base/msg.h"
#include "cli/outfile.h"
#include "tools/iowatcher/ending.h"
#include "tools/iowatcher/movie_svg.h"
#include "tools/iowatcher/options.h"
#include "tools/iowatcher/own_file.h"
#include "tools/iowatcher/page.h"
#include "tools/iowatcher/picture.h"
#include "tools/iowatcher/program.h"
#include "tools/iowatcher/video.h"

enum { OUT_SIZE = 65536 };

static void draw(struct buf *b, const struct watch_options *o,
		 const struct sources *s)
{
	if (o->movie)
		movie_svg_draw(b, o, s);
	else
		page_draw(b, o, s);
}

/* --- by another program --------------------------------------------------- */

/* The drawing goes into a pipe; that its reader has gone is the program's to
 * explain. */
static int draw_to(int fd, const struct watch_options *o,
		   const struct sources *s)
{
	struct buf b;
	int err;

	if (buf_init(&b, fd, OUT_SIZE))
		return -ENOMEM;
	draw(&b, o, s);
	err = buf_flush(&b);
	buf_free(&b);
	return err == -EPIPE ? 0 : err;
}

static bool feed(struct program *p, int fd, const struct watch_options *o,
		 const struct sources *s)
{
	void (*old)(int) = signal(SIGPIPE, SIG_IGN);
	int err = draw_to(fd, o, s);

	signal(SIGPIPE, old);
	close(fd);
	if (program_wait(p)) {
		msg_warn("%s has failed, status %d", p->name, p->status);
		return false;
	}
	if (!err)
		return true;
	errno = -err;
	msg_warn("cannot write to %s:", p->name);
	return false;
}

static bool convert(int out, const struct watch_options *o,
		    const struct sources *s)
{
	static const char *const words[] = { "rsvg-convert", "--unlimited",
					     NULL };
	struct program p;
	int ends[2];
	int err;

	if (pipe2(ends, O_CLOEXEC)) {
		msg_warn("cannot make a pipe:");
		return false;
	}
	err = program_start_piped(&p, (char *const *)words, ends[0], out);
	close(ends[0]);
	if (!err)
		return feed(&p, ends[1], o, s);
	if (err == -ENOENT)
		msg_warn("PNG is made by rsvg-convert: Debian's package"
			 " librsvg2-bin");
	close(ends[1]);
	return false;
}

static int write_png(const struct watch_options *o, const struct sources *s)
{
	struct outfile f;

	if (!own_file_open(&f, &o->opener, o->output))
		return 1;
	if (convert(f.buf.fd, o, s) && !*o->stop)
		return !outfile_close(&f);
	outfile_discard(&f);
	return 1;
}

static int write_svg(const struct watch_options *o, const struct sources *s)
{
	struct outfile f;

	if (!own_file_open(&f, &o->opener, o->output))
		return 1;
	draw(&f.buf, o, s);
	outfile_flush(&f, "");
	if (!*o->stop)
		return !outfile_close(&f);
	outfile_discard(&f);
	return 1;
}

/* whether the picture is a video */
static bool is_video(const struct watch_options *o)
{
	return o->movie && !ends_in(o->output, ".svg");
}

bool picture_needs_program(const struct watch_options *o)
{
	if (is_video(o))
		return video_is_encoded(o);
	return ends_in(o->output, ".png");
}

int picture_write(const struct watch_options *o, const struct sources *s)
{
	if (is_video(o))
		return video_write(o, s);
	if (ends_in(o->output, ".png"))
		return write_png(o, s);
	return write_svg(o, s);
}
