/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where bytes come from: a file, a pipe, memory, each maybe gzip'd.
 *
 * A source is read with read(2), as a mapping could shrink under us, and
 * forward; a plain file can be told to go on elsewhere.  Compression is found
 * by the first bytes, not by the name.
 */
#ifndef FILE_SOURCE_H
#define FILE_SOURCE_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct source;

/* All three: 0 and *s, which the caller closes; or -errno. */

/* the file at path, from its start; a FIFO is opened without waiting */
int source_open(struct source **s, const char *path);

/* an open descriptor that stays the caller's, such as standard input */
int source_fd(struct source **s, int fd);

/* bytes that stay the caller's and stay where they are */
int source_memory(struct source **s, const void *bytes, size_t len);

/*
 * Up to len bytes to buf: their number; 0 at the end; -EAGAIN when a pipe has
 * nothing yet; else -errno: -EBADMSG for a broken gzip stream, -ESPIPE for a
 * file that has become shorter than it was when it was opened.
 */
ssize_t source_read(struct source *s, void *buf, size_t len);

/* reads until buf is full or the source ends; the bytes in buf, or -errno */
ssize_t source_fill(struct source *s, void *buf, size_t len);

/*
 * Waits until there is something to read, at most ms milliseconds.  1: read;
 * 0: time is up; -EINTR: a signal came.
 */
int source_wait(struct source *s, int ms);

/*
 * The next read begins at this byte.  0; -ESPIPE: the source cannot do that,
 * as it is no regular file, or packed, or nothing has been read yet; -errno.
 */
int source_seek(struct source *s, uint64_t at);

/*
 * Adds the bytes that have been read to *done, and all that the file had when
 * it was opened to *total, as it is stored; nothing if it is no file.
 */
void source_progress(const struct source *s, uint64_t *done, uint64_t *total);

/* a pipe or socket, where time matters: source_read() may return -EAGAIN */
int source_is_live(const struct source *s);

/* frees s; NULL is fine */
void source_close(struct source *s);

#endif
