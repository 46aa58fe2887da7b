/* SPDX-License-Identifier: GPL-2.0-only */
/* Bytes into a stream's buffer; see stream_impl.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "file/source.h"
#include "file/stream_impl.h"

enum {
	FIRST_SIZE = 32768,	/* a usual batch fits in, and a bit more */
	READ_MIN = 4096,	/* less is not worth a read */
	READ_BEYOND = 1024,	/* batches differ, by notes and payloads */
};

int stream_buffer_init(struct stream *s)
{
	s->usual = FIRST_SIZE - READ_BEYOND;
	s->cap = FIRST_SIZE;
	s->buf = malloc(s->cap);
	return s->buf ? 0 : -ENOMEM;
}

/*
 * How much to read: what is missing of a batch as large as the last one.  So it
 * is read where the last one was, which is in the cache, and little is read
 * beyond it that has to be moved before the next read.
 */
static size_t read_size(const struct stream *s)
{
	size_t there = s->end - s->from, want = s->usual + READ_BEYOND;

	return want < there + READ_MIN ? READ_MIN : want - there;
}

int stream_make_room(struct stream *s, size_t need)
{
	size_t keep = s->end - s->from, cap = s->cap;
	uint8_t *bigger;

	if (s->cap - s->end >= need)
		return 0;
	if (s->from) {
		memmove(s->buf, s->buf + s->from, keep);
		s->base += s->from;
		s->scan -= s->from;
		s->body = s->body > s->from ? s->body - s->from : 0;
		s->end = keep;
		s->from = 0;
	}
	while (cap - keep < need)
		cap *= 2;
	if (cap == s->cap)
		return 0;
	if (cap > UINT32_MAX)
		return -EFBIG;
	bigger = realloc(s->buf, cap);
	if (!bigger)
		return -ENOMEM;
	s->buf = bigger;
	s->cap = cap;
	return 0;
}

static const char *read_error(int err)
{
	if (err == -ESPIPE)
		return "the file has become shorter while it was read";
	if (err == -EBADMSG)
		return "the gzip data is broken or cut short";
	if (err == -EFBIG)
		return "the records read ahead (-b) exceed 4 GiB";
	return strerror(-err);
}

int stream_read_more(struct stream *s)
{
	size_t len = read_size(s);
	ssize_t n;

	if (s->eof)
		return 0;
	n = stream_make_room(s, len);
	if (n == 0)
		n = source_read(s->src, s->buf + s->end, len);
	if (n == -EAGAIN || n == -ENOMEM)
		return (int)n;
	if (n > 0) {
		s->end += (size_t)n;
		s->vain += (size_t)n;
		return 1;
	}
	if (n < 0)
		stream_report(s, s->base + s->end, 0, read_error((int)n));
	s->eof = true;
	return 0;
}
