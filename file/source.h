/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Sources of bytes: a file, a pipe or memory, unpacked if the first bytes are
 * gzip's, zstd's or a packed trace's (pack/format.h), whatever its name.  A path below a
 * packed file names a file in it: file/shelf.h.
 *
 * A source is read with read(2), as a mapping could shrink under us.
 */
#ifndef FILE_SOURCE_H
#define FILE_SOURCE_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct damage;			/* file/hooks.h */
struct source;

/* All three: 0 and *s, which the caller closes; or -errno. */

/* a FIFO is opened without waiting for its writer */
int source_open(struct source **s, const char *path);

/* the caller closes fd */
int source_fd(struct source **s, int fd);

/* the caller frees bytes, after *s */
int source_memory(struct source **s, const void *bytes, size_t len);

/*
 * A source of another's bytes (file/source_layer.h), unpacked if they are gzip'd
 * or packed, which the first read finds out, as a pipe may be silent for long.
 * Takes in over, also on failure; 0 and *out, or -ENOMEM.
 */
int source_gzip(struct source **out, struct source *in);

/*
 * Up to len bytes to buf: their number; 0 at the end; -EAGAIN: a pipe has none
 * yet; -EBADMSG: broken gzip data; -ESPIPE: the file has become shorter since
 * it was opened; -EUCLEAN: packed bytes were passed over, read on;
 * -EOPNOTSUPP: packed, and this build has no libzstd; or -errno.
 */
ssize_t source_read(struct source *s, void *buf, size_t len);

/* what was passed over, after -EUCLEAN; its file may be NULL: the source's */
const struct damage *source_damage(const struct source *s);

/* the same, but waits for a pipe; -EINTR: a signal came */
ssize_t source_await(struct source *s, void *buf, size_t len);

/* reads until buf is full or the source ends; the bytes in buf, or -errno */
ssize_t source_fill(struct source *s, void *buf, size_t len);

/* Waits at most ms milliseconds for bytes.  1: read; 0: timeout; -EINTR. */
int source_wait(struct source *s, int ms);

/* The next read starts at this byte.  0; -ESPIPE: no regular file, or gzip'd; or
 * -errno. */
int source_seek(struct source *s, uint64_t at);

/* Adds the stored bytes read so far to *done, and the file's size when it was
 * opened to *total; 0 if it is no file. */
void source_progress(const struct source *s, uint64_t *done, uint64_t *total);

/* whether it is a pipe or socket: source_read() may return -EAGAIN */
int source_is_live(const struct source *s);

/* the longest time, in ns, between the first and the last event of a block so
 * far, if it is a packed stream: events of other blocks come so much later than
 * they were recorded */
uint64_t source_span(const struct source *s);

/* frees s; NULL is fine */
void source_close(struct source *s);

#endif
