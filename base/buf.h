/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An output buffer of a file descriptor.
 *
 * Lines are rendered directly into the room that buf_room() returns.  The
 * buffer is written when it is full, and by buf_flush().  The first write error
 * is kept, and everything after it is dropped.
 */
#ifndef BASE_BUF_H
#define BASE_BUF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct buf {
	char *data;
	size_t len;		/* bytes waiting */
	size_t size;
	uint64_t written;	/* bytes, to fd */
	int fd;			/* the caller closes it */
	bool terminal;		/* set by the caller: foreign text must be
				 * escaped */
	int error;		/* 0, or errno of the first failed write */
};

/* 0 or -ENOMEM */
int buf_init(struct buf *b, int fd, size_t size);

/* frees the buffer without writing it */
void buf_free(struct buf *b);

/* writes everything; 0, or -errno (also of an earlier failure) */
int buf_flush(struct buf *b);

/* slow path of buf_room(): flushes, and grows if need exceeds the size */
char *buf_make_room(struct buf *b, size_t need);

/*
 * Room for need bytes, valid until the next call on b.  NULL: b->error is set,
 * a write has failed or there is no memory.
 */
static inline char *buf_room(struct buf *b, size_t need)
{
	if (b->size - b->len >= need)
		return b->data + b->len;
	return buf_make_room(b, need);
}

/* appends what was rendered from the last buf_room() up to end */
static inline void buf_commit(struct buf *b, const char *end)
{
	b->len = (size_t)(end - b->data);
}

/* appends bytes, and writes whole buffers, as a stdio stream of this size */
void buf_append(struct buf *b, const void *bytes, size_t len);

/* appends formatted text of any length; too slow for each event */
void buf_printf(struct buf *b, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

#endif
