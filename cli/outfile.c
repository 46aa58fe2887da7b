/* SPDX-License-Identifier: GPL-2.0-only */
/* Buffered output; see outfile.h. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "base/msg.h"
#include "base/opener.h"
#include "cli/outfile.h"

/* The empty write finds a closed standard output even if 1.3.0 prints on
 * standard error, so that all programs answer alike. */
void cli_flush(void)
{
	if (fflush(stdout) || ferror(stdout) ||
	    write(STDOUT_FILENO, "", 0) < 0)
		msg_die("cannot write to standard output:");
}

void cli_leave(void)
{
	cli_flush();
	exit(0);
}

static const char stdout_name[] = "standard output";

static int open_path(const struct opener *o, const char *path)
{
	int fd = opener_open(o, path,
			     O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);

	if (fd < 0)
		msg_die("cannot write %s:", path);
	return fd;
}

/* A pipe that takes a whole buffer needs fewer switches to its reader. */
static void widen_pipe(int fd, size_t size)
{
	int has = fcntl(fd, F_GETPIPE_SZ);

	if (has > 0 && (size_t)has < size)
		fcntl(fd, F_SETPIPE_SZ, (int)size);
}

void outfile_open(struct outfile *f, const char *path, size_t size)
{
	outfile_open_by(f, NULL, path, size);
}

void outfile_open_by(struct outfile *f, const struct opener *o,
		     const char *path, size_t size)
{
	int fd = path ? open_path(o, path) : STDOUT_FILENO;

	*f = (struct outfile){ .name = path ? path : stdout_name,
			       .open = true };
	if (buf_init(&f->buf, fd, size))
		msg_die("out of memory");
	f->buf.terminal = isatty(fd);
	widen_pipe(fd, size);
}

void outfile_open_packed(struct outfile *f, const struct opener *o,
			 const char *path, size_t size)
{
	int fd = memfd_create("outfile", MFD_CLOEXEC);

	if (fd < 0)
		msg_die("cannot write %s:", path);
	*f = (struct outfile){ .name = path, .open = true, .packed = true,
			       .target = open_path(o, path) };
	if (buf_init(&f->buf, fd, size))
		msg_die("out of memory");
}

/* Where writing takes time that another CPU can take. */
static bool takes_time(const struct stat *st)
{
	return S_ISFIFO(st->st_mode) || S_ISREG(st->st_mode);
}

static bool is_same(const struct stat *st, int fd)
{
	struct stat other;

	return !fstat(fd, &other) && other.st_dev == st->st_dev &&
	       other.st_ino == st->st_ino;
}

bool outfile_write_behind(struct outfile *f, const struct outfile *other)
{
	struct stat st;

	if (!f->open || fstat(f->buf.fd, &st) || !takes_time(&st) ||
	    is_same(&st, STDERR_FILENO) ||
	    (other && is_same(&st, other->buf.fd)))
		return false;
	return !buf_write_behind(&f->buf);
}

bool outfile_is_stdout(const struct outfile *f)
{
	return f->buf.fd == STDOUT_FILENO;
}

__attribute__((noreturn)) static void end_silently(void)
{
	signal(SIGPIPE, SIG_DFL);
	raise(SIGPIPE);
	_exit(1);
}

/* Reports an errno, or ends the program. */
static void report(const char *name, const char *what, int err)
{
	if (err == EPIPE)
		end_silently();
	errno = err;
	msg_warn("cannot write %s%s:", name, what);
}

bool outfile_open_whole(struct outfile *f, const struct opener *o,
			const char *path, size_t size)
{
	int err;

	*f = (struct outfile){ .name = path, .placed = true };
	err = -place_open(&f->place, o, path);
	if (!err && buf_init(&f->buf, f->place.fd, size)) {
		place_discard(&f->place);
		err = ENOMEM;
	}
	f->open = !err;
	f->failed = err;
	if (err)
		report(path, "", err);
	return f->open;
}

bool outfile_check(struct outfile *f, const char *what)
{
	if (!f->buf.error && !f->failed)
		return true;
	if (!f->failed)
		report(f->name, what, f->buf.error);
	f->failed = true;
	f->open = false;
	return false;
}

bool outfile_flush(struct outfile *f, const char *what)
{
	buf_flush(&f->buf);
	return outfile_check(f, what);
}

static int zlib_error(void)
{
	return errno ? errno : EIO;
}

/* 0 or an errno */
static int pack(int from, gzFile to)
{
	char bytes[8192];
	off_t at = 0;
	ssize_t n;

	while ((n = pread(from, bytes, sizeof(bytes), at)) > 0) {
		errno = 0;
		if (gzwrite(to, bytes, (unsigned int)n) != n)
			return zlib_error();
		at += n;
	}
	return n < 0 ? errno : 0;
}

static void close_packed(struct outfile *f)
{
	gzFile to = gzdopen(f->target, "w");
	int err;

	if (!to)
		msg_die("out of memory");
	err = f->failed ? 0 : pack(f->buf.fd, to);
	errno = 0;
	if (gzclose(to) != Z_OK && !err)
		err = zlib_error();
	if (err && !f->failed)
		report(f->name, "", err);
	f->failed = f->failed || err;
}

static void close_placed(struct outfile *f)
{
	int err = 0;

	if (outfile_check(f, ""))
		err = -place_commit(&f->place);
	else
		place_discard(&f->place);
	if (err)
		report(f->name, "", err);
	f->failed = f->failed || err;
}

static void close_plain(struct outfile *f)
{
	if (!close(f->buf.fd) || f->failed)
		return;
	report(f->name, "", errno);
	f->failed = true;
}

bool outfile_close(struct outfile *f)
{
	bool owned = f->buf.data && !outfile_is_stdout(f);

	buf_write_here(&f->buf);
	if (owned && f->packed)
		close_packed(f);
	if (owned && f->placed)
		close_placed(f);
	else if (owned)
		close_plain(f);
	buf_free(&f->buf);
	f->open = false;
	return !f->failed;
}

void outfile_discard(struct outfile *f)
{
	f->failed = true;	/* no more messages */
	outfile_close(f);
}

bool outfile_flush_stdio(void)
{
	if (!fflush(stdout))
		return true;
	report(stdout_name, "", errno);
	return false;
}
