/* SPDX-License-Identifier: GPL-2.0-only */
/* A file that is complete or absent; see place.h. */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/opener.h"
#include "base/place.h"

enum { PIECE = 32768 };		/* bytes compared at once */

static void place_free(struct place *p)
{
	free(p->path);
	free(p->part);
	*p = (struct place){ .fd = -1 };
}

char *place_part(const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *file = slash ? slash + 1 : path;
	char *part;

	if (asprintf(&part, "%.*s.%s.part-%ld", (int)(file - path), path, file,
		     (long)getpid()) < 0)
		return NULL;
	return part;
}

/* A killed process of the same PID may have left this file. */
static int make_part(const struct opener *o, const char *part)
{
	const int flags = O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC;
	int fd = opener_open(o, part, flags, 0666);

	if (fd < 0 && errno == EEXIST && !opener_remove(o, part))
		fd = opener_open(o, part, flags, 0666);
	return fd < 0 ? -errno : fd;
}

static int open_part(struct place *p, const struct stat *old)
{
	p->part = place_part(p->path);
	if (!p->part)
		return -ENOMEM;
	p->fd = make_part(p->opener, p->part);
	if (p->fd < 0)
		return p->fd;
	/* the mode of the earlier file, if possible */
	if (old)
		fchmod(p->fd, old->st_mode & 0777);
	return 0;
}

static int open_there(struct place *p)
{
	p->fd = opener_open(p->opener, p->path, O_WRONLY | O_CLOEXEC, 0);
	return p->fd < 0 ? -errno : 0;
}

int place_open(struct place *p, const struct opener *o, const char *path)
{
	struct stat st;
	bool there = !stat(path, &st);
	int err;

	*p = (struct place){ .opener = o, .fd = -1 };
	p->path = there ? realpath(path, NULL) : strdup(path);
	if (!p->path)
		return -errno;
	if (there && S_ISDIR(st.st_mode))
		err = -EISDIR;
	else if (there && !S_ISREG(st.st_mode))
		err = open_there(p);
	else
		err = open_part(p, there ? &st : NULL);
	if (err)
		place_free(p);
	return err;
}

/* whether two files have the same bytes up to the end of one */
static bool are_same(int a, int b)
{
	char left[PIECE], right[PIECE];
	off_t at = 0;

	for (;;) {
		ssize_t n = pread(a, left, PIECE, at);

		if (n < 0 || pread(b, right, PIECE, at) != n ||
		    memcmp(left, right, (size_t)n))
			return false;
		if (!n)
			return true;
		at += n;
	}
}

bool place_is_same(const struct place *p)
{
	int fd = p->part ? open(p->path, O_RDONLY | O_CLOEXEC) : -1;
	bool same;

	if (fd < 0)
		return false;
	same = are_same(p->fd, fd);
	close(fd);
	return same;
}

static int close_file(struct place *p)
{
	int fd = p->fd;

	p->fd = -1;
	return close(fd) ? -errno : 0;
}

static int commit(struct place *p, int err)
{
	if (!err)
		err = close_file(p);
	if (!err && p->part && opener_rename(p->opener, p->part, p->path))
		err = -errno;
	if (err)
		place_discard(p);
	else
		place_free(p);
	return err;
}

int place_commit(struct place *p)
{
	return commit(p, p->part && fsync(p->fd) ? -errno : 0);
}

int place_commit_soon(struct place *p)
{
	return commit(p, 0);
}

void place_discard(struct place *p)
{
	if (p->fd >= 0)
		close(p->fd);
	if (p->part)
		opener_remove(p->opener, p->part);
	place_free(p);
}
