/* SPDX-License-Identifier: GPL-2.0-only */
/* Sources of bytes: descriptors and memory; unpacking is source_gzip.c's. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "file/source.h"
#include "file/source_impl.h"

struct file {
	struct source base;
	int fd;
	bool owned;		/* ours to close */
	uint64_t size;		/* a regular file's at opening, or 0; 0 once it
				 * was found to be shorter */
	uint64_t total;		/* a regular file's at opening, or 0 */
	uint64_t at;		/* bytes read so far */
};

static int fd_wait(int fd, int ms)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };
	int n = poll(&p, 1, ms);

	return n < 0 ? -errno : n > 0;
}

static ssize_t fd_read(int fd, void *buf, size_t len)
{
	ssize_t n;

	do
		n = read(fd, buf, len);
	while (n < 0 && errno == EINTR);
	return n < 0 ? -errno : n;
}

static ssize_t file_read(struct source *s, void *buf, size_t len)
{
	struct file *f = (struct file *)s;
	ssize_t n;

	/* poll first, as a pipe that we share must not be made non-blocking */
	if (s->live && fd_wait(f->fd, 0) == 0)
		return -EAGAIN;
	n = fd_read(f->fd, buf, len);
	if (n > 0)
		f->at += (uint64_t)n;
	if (n == 0 && f->at < f->size) {
		f->size = 0;	/* reported once */
		return -ESPIPE;
	}
	return n;
}

static int file_wait(struct source *s, int ms)
{
	return s->live ? fd_wait(((struct file *)s)->fd, ms) : 1;
}

static int file_seek(struct source *s, uint64_t at)
{
	struct file *f = (struct file *)s;

	if (!f->total)
		return -ESPIPE;
	if (lseek(f->fd, (off_t)at, SEEK_SET) < 0)
		return -errno;
	f->at = at;
	return 0;
}

static void file_progress(const struct source *s, uint64_t *done,
			  uint64_t *total)
{
	const struct file *f = (const struct file *)s;

	*done += f->at;
	*total += f->total;
}

static void file_close(struct source *s)
{
	struct file *f = (struct file *)s;

	if (f->owned)
		close(f->fd);
	free(f);
}

static const struct source_ops file_ops = { file_read, file_wait, file_seek,
					     file_progress, file_close };

static int file_source(struct source **s, int fd, bool owned)
{
	struct file *f = calloc(1, sizeof(*f));
	struct stat st;

	if (!f || fstat(fd, &st)) {
		int err = f ? -errno : -ENOMEM;

		free(f);
		if (owned)
			close(fd);
		return err;
	}
	f->base.ops = &file_ops;
	f->base.live = S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode) ||
		       S_ISCHR(st.st_mode);
	f->fd = fd;
	f->owned = owned;
	if (S_ISREG(st.st_mode))
		f->total = (uint64_t)st.st_size;
	if (owned)
		f->size = f->total;
	return source_gzip(s, &f->base);
}

int source_open(struct source **s, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	return fd < 0 ? -errno : file_source(s, fd, true);
}

int source_fd(struct source **s, int fd)
{
	return file_source(s, fd, false);
}

struct memory {
	struct source base;
	const uint8_t *bytes;
	size_t left;
};

static ssize_t memory_read(struct source *s, void *buf, size_t len)
{
	struct memory *m = (struct memory *)s;
	size_t n = len < m->left ? len : m->left;

	if (n)
		memcpy(buf, m->bytes, n);
	m->bytes += n;
	m->left -= n;
	return (ssize_t)n;
}

static int memory_wait(struct source *s, int ms)
{
	(void)s, (void)ms;
	return 1;
}

static void memory_progress(const struct source *s, uint64_t *done,
			    uint64_t *total)
{
	(void)s, (void)done, (void)total;
}

static void memory_close(struct source *s)
{
	free(s);
}

static const struct source_ops memory_ops = { memory_read, memory_wait, NULL,
					      memory_progress, memory_close };

int source_memory(struct source **s, const void *bytes, size_t len)
{
	struct memory *m = calloc(1, sizeof(*m));

	if (!m)
		return -ENOMEM;
	m->base.ops = &memory_ops;
	m->bytes = bytes;
	m->left = len;
	return source_gzip(s, &m->base);
}

ssize_t source_read(struct source *s, void *buf, size_t len)
{
	return s->ops->read(s, buf, len);
}

ssize_t source_fill(struct source *s, void *buf, size_t len)
{
	uint8_t *bytes = buf;
	size_t have = 0;

	while (have < len) {
		ssize_t n = source_read(s, bytes + have, len - have);

		if (n < 0)
			return n;
		if (n == 0)
			break;
		have += (size_t)n;
	}
	return (ssize_t)have;
}

void source_progress(const struct source *s, uint64_t *done, uint64_t *total)
{
	s->ops->progress(s, done, total);
}

int source_seek(struct source *s, uint64_t at)
{
	return s->ops->seek ? s->ops->seek(s, at) : -ESPIPE;
}

int source_wait(struct source *s, int ms)
{
	return s->ops->wait(s, ms);
}

int source_is_live(const struct source *s)
{
	return s->live;
}

void source_close(struct source *s)
{
	if (s)
		s->ops->close(s);
}
