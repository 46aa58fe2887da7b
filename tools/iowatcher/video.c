/* SPDX-License-Identifier: GPL-2.0-only */
/* The movie as a video file; see outputs.h. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/msg.h"
#include "cli/outfile.h"
#include "tools/iowatcher/movie_frames.h"
#include "tools/iowatcher/options.h"
#include "tools/iowatcher/outputs.h"
#include "tools/iowatcher/program.h"

/* --- own file ------------------------------------------------------------- */

enum { BUFFER_SIZE = 65536 };

/* 1.3.0: a file that was not there is its owner's alone */
bool own_file_open(struct outfile *f, const struct opener *o,
		   const char *path)
{
	bool is_new = access(path, F_OK);

	if (!strcmp(path, "-")) {
		outfile_open(f, NULL, BUFFER_SIZE);
		return true;
	}
	if (!outfile_open_whole(f, o, path, BUFFER_SIZE))
		return false;
	if (is_new)
		fchmod(f->place.fd, S_IRUSR | S_IWUSR);
	return true;
}

/* --- video ---------------------------------------------------------------- */

enum { OUT_SIZE = 65536 };

/* --- the stream itself ---------------------------------------------------- */

/* What a signal has cut short is not to be. */
static int finish_file(struct outfile *f, const struct watch_options *o)
{
	if (*o->stop) {
		outfile_discard(f);
		return 1;
	}
	outfile_flush(f, "");
	return !outfile_close(f);
}

static int write_stream(const struct watch_options *o, const struct sources *s)
{
	struct outfile f;

	if (!own_file_open(&f, &o->opener, o->output))
		return 1;
	movie_frames_write((struct buf *const[]){ &f.buf }, 1, o, s);
	return finish_file(&f, o);
}

/* --- by ffmpeg ------------------------------------------------------------ */

struct encoding {
	struct program p;
	struct buf pipe;
	struct outfile kept;	/* -K */
	char *kept_path, *target;
};

/* 1.3.0: libx264; but Ogg has no place for it */
static const char *codec_of(const struct watch_options *o)
{
	if (o->codec)
		return o->codec;
	return ends_in(o->output, ".ogg") || ends_in(o->output, ".ogv") ?
		"libtheora" : "libx264";
}

/* ffmpeg takes "x:" in front of a name for a way to reach it */
static int start(struct encoding *e, const struct watch_options *o)
{
	int ends[2], err;

	if (asprintf(&e->target, "file:%s", o->output) < 0)
		msg_die("out of memory");
	if (pipe2(ends, O_CLOEXEC)) {
		msg_warn("cannot make a pipe:");
		return -errno;
	}
	err = program_start_piped(&e->p, (char *const[]){
		"ffmpeg", "-loglevel", "error", "-y", "-f", "yuv4mpegpipe",
		"-i", "-", "-pix_fmt", "yuv420p", "-vcodec",
		(char *)codec_of(o), e->target, NULL }, ends[0], -1);
	close(ends[0]);
	if (!err && buf_init(&e->pipe, ends[1], OUT_SIZE))
		msg_die("out of memory");
	if (err)
		close(ends[1]);
	if (err == -ENOENT)
		msg_warn("videos need ffmpeg (Debian: ffmpeg); -o FILE.svg and"
			 " -o FILE.y4m do not");
	return err;
}

static bool keep(struct encoding *e, const struct watch_options *o)
{
	if (!o->keep_frames)
		return true;
	if (asprintf(&e->kept_path, "%s.y4m", o->output) < 0)
		msg_die("out of memory");
	return own_file_open(&e->kept, &o->opener, e->kept_path);
}

/* ffmpeg explains itself why it does not read on. */
static void feed(struct encoding *e, const struct watch_options *o,
		 const struct sources *s)
{
	struct buf *const outputs[] = { &e->pipe, &e->kept.buf };
	void (*old)(int) = signal(SIGPIPE, SIG_IGN);

	movie_frames_write(outputs, e->kept.open ? 2 : 1, o, s);
	buf_flush(&e->pipe);
	signal(SIGPIPE, old);
	close(e->pipe.fd);
}

static int finish(struct encoding *e, const struct watch_options *o)
{
	int status = program_wait(&e->p);

	if (status)
		msg_warn("ffmpeg failed with status %d", status);
	else if (e->pipe.error)
		msg_warn("ffmpeg did not read all frames");
	if (e->kept.open && finish_file(&e->kept, o) && !status)
		status = 1;
	return status ? status : e->pipe.error != 0;
}

static int encode(const struct watch_options *o, const struct sources *s)
{
	struct encoding e = { .kept_path = NULL };
	int status = 1;

	if (keep(&e, o) && !start(&e, o)) {
		feed(&e, o, s);
		status = finish(&e, o);
		buf_free(&e.pipe);
	} else if (e.kept.open) {
		outfile_discard(&e.kept);
	}
	free(e.kept_path);
	free(e.target);
	return status;
}

bool video_is_encoded(const struct watch_options *o)
{
	return strcmp(o->output, "-") && !ends_in(o->output, ".y4m");
}

int video_write(const struct watch_options *o, const struct sources *s)
{
	return video_is_encoded(o) ? encode(o, s) : write_stream(o, s);
}
