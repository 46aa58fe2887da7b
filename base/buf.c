/* SPDX-License-Identifier: GPL-2.0-only */
/* An output buffer; see buf.h. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/hint.h"
#include "base/writer.h"

int buf_init(struct buf *b, int fd, size_t size)
{
	*b = (struct buf){ .fd = fd, .size = size };
	b->data = malloc(size);
	return b->data ? 0 : -ENOMEM;
}

void buf_free(struct buf *b)
{
	buf_write_here(b);
	free(b->data);
	*b = (struct buf){ .fd = -1 };
}

/* Hands whole units on to the writer; the rest, less than one, moves to the start. */
static void pass_on(struct buf *b)
{
	size_t rest = b->len % WRITER_UNIT;

	b->len -= rest;
	if (!b->error)
		b->error = -writer_put(b->writer, b->data, b->len);
	if (!b->error)
		b->written += b->len;
	memmove(b->data, b->data + b->len, rest);
	b->len = rest;
}

static int write_out(struct buf *b)
{
	if (b->writer)
		return writer_flush(b->writer, b->data, b->len);
	return b->len ? writer_write(b->fd, b->data, b->len) : 0;
}

int buf_flush(struct buf *b)
{
	if (!b->error)
		b->error = -write_out(b);
	if (!b->error)
		b->written += b->len;
	b->len = 0;
	return -b->error;
}

/* a full buffer; a writer may leave less than a unit */
static void make_empty(struct buf *b)
{
	if (b->writer)
		pass_on(b);
	else
		buf_flush(b);
}

int buf_write_behind(struct buf *b)
{
	int err = writer_new(&b->writer, b->fd);

	if (err)
		return err;
	pass_on(b);
	if (b->size > WRITER_FRONT)
		b->size = WRITER_FRONT;
	return 0;
}

void buf_write_here(struct buf *b)
{
	writer_free(b->writer);
	b->writer = NULL;
}

COLD char *buf_make_room(struct buf *b, size_t need)
{
	char *bigger;

	make_empty(b);
	if (b->error)
		return NULL;
	need += b->len;
	if (need <= b->size)
		return b->data + b->len;
	bigger = realloc(b->data, need);
	if (!bigger) {
		b->error = ENOMEM;
		return NULL;
	}
	b->data = bigger;
	b->size = need;
	return b->data + b->len;
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
			make_empty(b);
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
