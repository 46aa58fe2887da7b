/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An output buffer of a file descriptor.
 *
 * Lines are rendered directly into the room that buf_room() returns.  The
 * buffer is written when it is full, and by buf_flush().  The first write error
 * is kept, and everything after it is dropped.
 *
 * A buffer may be written by another thread.  buf_flush() then waits for it: what the
 * caller writes elsewhere after that comes after the buffer.
 */
#ifndef BASE_BUF_H
#define BASE_BUF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct writer;			/* base/writer.h */

struct buf {
	char *data;
	size_t len;		/* bytes waiting */
	size_t size;
	uint64_t written;	/* bytes, to fd or its writer */
	int fd;			/* the caller closes it */
	bool terminal;		/* set by the caller: foreign text must be
				 * escaped */
	struct writer *writer;	/* of full buffers; NULL: the caller */
	int error;		/* 0, or errno of the first failed write */
};

/* 0 or -ENOMEM */
int buf_init(struct buf *b, int fd, size_t size);

/* frees the buffer without writing it; what a thread has is written */
void buf_free(struct buf *b);

/* From here on a thread writes full buffers.  An error may be seen some of them later,
 * but by buf_flush().  size is above WRITER_UNIT.  0, or -errno: no thread, all is as
 * it was. */
int buf_write_behind(struct buf *b);

/* The thread, if any, writes what it has, and ends.  Its last errors are not seen
 * unless buf_flush() was called. */
void buf_write_here(struct buf *b);

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
