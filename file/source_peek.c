/* SPDX-License-Identifier: GPL-2.0-only */
/* A source that was looked into; see source_peek.h. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "file/source.h"
#include "file/source_layer.h"
#include "file/source_peek.h"

struct peek {
	struct source base;
	struct source *in;
	char *begin;		/* len bytes, of which at were read */
	size_t at, len;
};

static ssize_t peek_read(struct source *s, void *buf, size_t len)
{
	struct peek *p = (struct peek *)s;
	size_t left = p->len - p->at;

	if (!left)
		return source_pass(s, p->in, source_read(p->in, buf, len));
	left = left < len ? left : len;
	memcpy(buf, p->begin + p->at, left);
	p->at += left;
	return (ssize_t)left;
}

static int peek_wait(struct source *s, int ms)
{
	const struct peek *p = (struct peek *)s;

	return p->at < p->len ? 1 : source_wait(p->in, ms);
}

static int peek_seek(struct source *s, uint64_t at)
{
	struct peek *p = (struct peek *)s;
	int err = source_seek(p->in, at);

	if (!err)
		p->at = p->len;
	return err;
}

static void peek_progress(const struct source *s, uint64_t *done,
			  uint64_t *total)
{
	source_progress(((const struct peek *)s)->in, done, total);
}

static void peek_close(struct source *s)
{
	struct peek *p = (struct peek *)s;

	source_close(p->in);
	free(p->begin);
	free(p);
}

static const struct source_ops peek_ops = { peek_read, peek_wait, peek_seek,
					     peek_progress, peek_close };

/* Waits for a pipe. */
static ssize_t fill(struct peek *p, size_t len)
{
	while (p->len < len) {
		ssize_t n = source_await(p->in, p->begin + p->len,
					 len - p->len);

		if (n < 0)
			return n;
		if (n == 0)
			break;
		p->len += (size_t)n;
	}
	p->begin[p->len] = '\0';
	return (ssize_t)p->len;
}

ssize_t source_peek(struct source **out, struct source *in, size_t len,
		    const char **begin)
{
	struct peek *p = calloc(1, sizeof(*p));
	ssize_t n = -ENOMEM;

	if (!p) {
		source_close(in);
		return n;
	}
	p->base = (struct source){ .ops = &peek_ops, .live = in->live };
	p->in = in;
	p->begin = malloc(len + 1);
	if (p->begin)
		n = fill(p, len);
	if (n < 0) {
		peek_close(&p->base);
		return n;
	}
	*out = &p->base;
	*begin = p->begin;
	return n;
}
