/* SPDX-License-Identifier: GPL-2.0-only */
/* Lines for a descriptor that may take none; see spool.h. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/time.h"
#include "server/spool.h"

enum { SIZE = 8192 };

/*
 * A second descriptor for the same pipe or terminal: O_NONBLOCK on the one
 * that was given would affect all programs which share it.  If it cannot be
 * opened, small writes after a poll do nearly as well.
 */
static int open_again(int fd)
{
	char path[32];
	struct stat st;

	if (fstat(fd, &st) || !(S_ISFIFO(st.st_mode) || S_ISCHR(st.st_mode)))
		return -1;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return open(path, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
}

int spool_open(struct spool *s, int fd)
{
	int again = open_again(fd);

	*s = (struct spool){ .fd = again < 0 ? fd : again,
			     .own_fd = again >= 0 };
	return buf_init(&s->text, -1, SIZE);
}

/* --- adding --------------------------------------------------------------- */

/* Whether text has room for need bytes more; it is never flushed then. */
static bool make_room(struct spool *s, size_t need)
{
	struct buf *b = &s->text;
	size_t size = b->size;
	char *data;

	if (need > SPOOL_MAX - (b->len - s->written))
		return false;
	memmove(b->data, b->data + s->written, b->len - s->written);
	b->len -= s->written;
	s->written = 0;
	while (size - b->len < need)
		size *= 2;
	data = realloc(b->data, size);
	if (!data)
		return false;
	b->data = data;
	b->size = size;
	return true;
}

struct buf *spool_add(struct spool *s, unsigned int lines)
{
	size_t need = (size_t)lines * SPOOL_LINE;

	if (s->error)
		return NULL;
	if (s->text.size - s->text.len >= need || make_room(s, need))
		return &s->text;
	s->dropped += lines;
	return NULL;
}

/* --- writing -------------------------------------------------------------- */

/* A pipe that is ready has room for PIPE_BUF bytes.  False: not now. */
static bool write_some(struct spool *s, int timeout)
{
	struct pollfd p = { .fd = s->fd, .events = POLLOUT };
	size_t left = s->text.len - s->written;
	ssize_t n;

	if (poll(&p, 1, timeout) <= 0)
		return false;
	n = write(s->fd, s->text.data + s->written,
		  left < PIPE_BUF ? left : PIPE_BUF);
	if (n >= 0)
		s->written += (size_t)n;
	else if (errno == EAGAIN)
		return false;
	else if (errno != EINTR)
		s->error = errno;
	return true;
}

int spool_fd(const struct spool *s)
{
	return s->written < s->text.len && !s->error ? s->fd : -1;
}

static void empty(struct spool *s)
{
	s->text.len = s->written = 0;
}

void spool_write(struct spool *s)
{
	while (spool_fd(s) >= 0)
		if (!write_some(s, 0))
			return;
	empty(s);
}

/* --- the end -------------------------------------------------------------- */

static void drop_rest(struct spool *s)
{
	for (size_t i = s->written; i < s->text.len; i++)
		s->dropped += s->text.data[i] == '\n';
	empty(s);
}

int spool_close(struct spool *s)
{
	int64_t now = time_now_ms(), end = now + SPOOL_LAST_MS;

	for (; spool_fd(s) >= 0 && now < end; now = time_now_ms())
		write_some(s, (int)(end - now));
	if (!s->error)
		drop_rest(s);
	buf_free(&s->text);
	if (s->own_fd)
		close(s->fd);
	s->fd = -1;
	return -s->error;
}
