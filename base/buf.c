/* SPDX-License-Identifier: GPL-2.0-only */
/* An output buffer; see buf.h. */
#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/hint.h"

int buf_init(struct buf *b, int fd, size_t size)
{
	*b = (struct buf){ .fd = fd, .size = size };
	b->data = malloc(size);
	return b->data ? 0 : -ENOMEM;
}

void buf_free(struct buf *b)
{
	free(b->data);
	*b = (struct buf){ .fd = -1 };
}

/* An inherited descriptor may be non-blocking. */
static int wait_writable(int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLOUT };

	return poll(&p, 1, -1) < 0 && errno != EINTR ? -errno : 0;
}

static int write_all(int fd, const char *p, size_t len)
{
	while (len) {
		ssize_t n = write(fd, p, len);

		if (n >= 0) {
			p += n;
			len -= (size_t)n;
		} else if (errno == EAGAIN) {
			int err = wait_writable(fd);

			if (err)
				return err;
		} else if (errno != EINTR) {
			return -errno;
		}
	}
	return 0;
}

int buf_flush(struct buf *b)
{
	if (!b->error && b->len)
		b->error = -write_all(b->fd, b->data, b->len);
	if (!b->error)
		b->written += b->len;
	b->len = 0;
	return -b->error;
}

COLD char *buf_make_room(struct buf *b, size_t need)
{
	char *bigger;

	if (buf_flush(b))
		return NULL;
	if (need <= b->size)
		return b->data;
	bigger = realloc(b->data, need);
	if (!bigger) {
		b->error = ENOMEM;
		return NULL;
	}
	b->data = bigger;
	b->size = need;
	return b->data;
}

void buf_append(struct buf *b, const void *bytes, size_t len)
{
	const char *p = bytes;

	while (len) {
		size_t room = b->size - b->len;
		size_t n = len < room ? len : room;

		memcpy(b->data + b->len, p, n);
		b->len += n;
		p += n;
		len -= n;
		if (len)
			buf_flush(b);
	}
}

static COLD void print_long(struct buf *b, const char *fmt, va_list ap)
{
	char *text;
	int n = vasprintf(&text, fmt, ap);

	if (n < 0) {
		b->error = b->error ? b->error : ENOMEM;
		return;
	}
	buf_append(b, text, (size_t)n);
	free(text);
}

void buf_printf(struct buf *b, const char *fmt, ...)
{
	char text[512];
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	va_start(ap, fmt);
	if (n >= (int)sizeof(text))
		print_long(b, fmt, ap);
	else if (n > 0)
		buf_append(b, text, (size_t)n);
	va_end(ap);
}
