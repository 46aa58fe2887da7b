/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Sources of bytes: descriptors and memory, and the layer over every source
 * that unpacks gzip, and leaves packed streams to source_packed and zstd's to
 * source_zstd.
 *
 * blktrace writes a gzip member at each flush, and the last may be cut short:
 * whole bytes are handed out before the error.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "file/source.h"
#include "file/source_layer.h"
#include "file/source_packed.h"
#include "file/source_zstd.h"
#include "pack/format.h"

/* --- any source ----------------------------------------------------------- */

ssize_t source_read(struct source *s, void *buf, size_t len)
{
	return s->ops->read(s, buf, len);
}

const struct damage *source_damage(const struct source *s)
{
	return &s->damage;
}

ssize_t source_await(struct source *s, void *buf, size_t len)
{
	ssize_t n;

	while ((n = source_read(s, buf, len)) == -EAGAIN) {
		int err = source_wait(s, -1);

		if (err < 0)
			return err;
	}
	return n;
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

uint64_t source_span(const struct source *s)
{
	return s->span;
}

void source_close(struct source *s)
{
	if (s)
		s->ops->close(s);
}

/* --- gzip ----------------------------------------------------------------- */

enum { PACKED_SIZE = 16384, ANY_GZIP = 15 + 16 };

struct gzip {
	struct source base;
	struct source *in;
	uint8_t head[PACK_MAGIC_LEN];	/* the first bytes, until they are handed out */
	size_t head_len;
	enum { UNKNOWN, PLAIN, GZIP, DEAD } mode;
	int error;		/* of the source beneath, returned once */
	z_stream z;
	uint8_t *packed;	/* PACKED_SIZE; NULL: nothing is packed */
};

/* Reads the first len bytes, or all if there are fewer.  0 or -errno. */
static int read_head(struct gzip *u, size_t len)
{
	while (u->head_len < len) {
		ssize_t n = source_read(u->in, u->head + u->head_len,
					len - u->head_len);

		if (n == -EAGAIN || n == -EUCLEAN)
			return (int)source_pass(&u->base, u->in, n);
		if (n < 0)
			u->error = (int)n;
		if (n <= 0)
			break;
		u->head_len += (size_t)n;
	}
	return 0;
}

static int begin_gzip(struct gzip *u)
{
	if (!u->packed)
		u->packed = malloc(PACKED_SIZE);
	if (!u->packed || inflateInit2(&u->z, ANY_GZIP) != Z_OK)
		return -ENOMEM;
	u->mode = GZIP;
	u->base.packed = true;
	memcpy(u->packed, u->head, u->head_len);
	u->z.next_in = u->packed;
	u->z.avail_in = (unsigned int)u->head_len;
	return 0;
}

/* Another layer unpacks what this one has begun to read. */
static int begin_below(struct gzip *u, int (*begin)(struct source **out,
						    struct source *in,
						    const void *head,
						    size_t len))
{
	int err = begin(&u->in, u->in, u->head, u->head_len);

	u->mode = err ? DEAD : PLAIN;
	if (err)
		return err;
	u->head_len = 0;
	u->base.packed = true;
	return 0;
}

/* 0 when the mode is known, or -errno of the source beneath. */
static int find_mode(struct gzip *u)
{
	int err = read_head(u, 2);

	/* a pipe may have had some of them before */
	if (!err && u->head_len >= 2 && pack_may_be(u->head, 2))
		err = read_head(u, PACK_MAGIC_LEN);
	else if (!err && u->head_len >= 2 && source_zstd_may_be(u->head, 2))
		err = read_head(u, ZSTD_MAGIC_LEN);
	if (err)
		return err;
	if (pack_is(u->head, u->head_len))
		return begin_below(u, source_packed_stream);
	if (u->head_len >= ZSTD_MAGIC_LEN &&
	    source_zstd_may_be(u->head, u->head_len))
		return begin_below(u, source_zstd);
	if (u->head_len >= 2 && u->head[0] == 0x1f && u->head[1] == 0x8b)
		return begin_gzip(u);
	u->mode = PLAIN;
	u->base.packed = u->in->packed;
	return 0;
}

static ssize_t read_plain(struct gzip *u, void *buf, size_t len)
{
	size_t n = u->head_len < len ? u->head_len : len;
	ssize_t err = u->error;

	if (n) {
		memcpy(buf, u->head, n);
		memmove(u->head, u->head + n, u->head_len -= n);
		return (ssize_t)n;
	}
	u->error = 0;
	return err ? err : source_pass(&u->base, u->in,
				       source_read(u->in, buf, len));
}

/* More packed bytes; their number, 0 at the end, or -errno. */
static ssize_t refill(struct gzip *u)
{
	ssize_t n = source_read(u->in, u->packed, PACKED_SIZE);

	if (n > 0) {
		u->z.next_in = u->packed;
		u->z.avail_in = (unsigned int)n;
	}
	return n;
}

static ssize_t fail(struct gzip *u, ssize_t error)
{
	u->mode = DEAD;
	return error;
}

static ssize_t read_gzip(struct gzip *u, void *buf, size_t len)
{
	u->z.next_out = buf;
	u->z.avail_out = (unsigned int)len;
	while (u->z.avail_out == len) {
		int z;

		if (!u->z.avail_in) {
			ssize_t n = refill(u);

			if (n == -EAGAIN)
				return n;
			if (n < 0)
				return fail(u, source_pass(&u->base, u->in,
							   n));
			if (n == 0)	/* between members, or inside one */
				return fail(u, u->z.total_in ? -EBADMSG : 0);
		}
		z = inflate(&u->z, Z_NO_FLUSH);
		if (z == Z_MEM_ERROR)
			return fail(u, -ENOMEM);
		if (z == Z_STREAM_END)
			inflateReset(&u->z);
		else if (z != Z_OK && z != Z_BUF_ERROR && u->z.avail_out == len)
			return fail(u, -EBADMSG);
		else if (z != Z_OK && z != Z_BUF_ERROR)
			break;	/* its bytes first; it will fail again */
	}
	return (ssize_t)(len - u->z.avail_out);
}

static ssize_t gzip_read(struct source *s, void *buf, size_t len)
{
	struct gzip *u = (struct gzip *)s;
	int err = u->mode == UNKNOWN ? find_mode(u) : 0;

	if (err)
		return err;
	if (u->mode == GZIP)
		return read_gzip(u, buf, len);
	return u->mode == PLAIN ? read_plain(u, buf, len) : 0;
}

static int gzip_wait(struct source *s, int ms)
{
	return source_wait(((struct gzip *)s)->in, ms);
}

static int gzip_seek(struct source *s, uint64_t at)
{
	struct gzip *u = (struct gzip *)s;
	int err = u->mode == UNKNOWN && !s->live ? find_mode(u) : 0;

	if (!err)
		err = u->mode == PLAIN ? source_seek(u->in, at) : -ESPIPE;
	if (!err)
		u->head_len = 0;
	return err;
}

static void gzip_progress(const struct source *s, uint64_t *done,
			  uint64_t *total)
{
	source_progress(((const struct gzip *)s)->in, done, total);
}

static void gzip_close(struct source *s)
{
	struct gzip *u = (struct gzip *)s;

	inflateEnd(&u->z);	/* harmless if nothing was started */
	source_close(u->in);
	free(u->packed);
	free(u);
}

static const struct source_ops gzip_ops = { gzip_read, gzip_wait, gzip_seek,
					     gzip_progress, gzip_close };

int source_gzip(struct source **out, struct source *in)
{
	struct gzip *u = calloc(1, sizeof(*u));

	if (!u) {
		source_close(in);
		return -ENOMEM;
	}
	u->base = (struct source){ .ops = &gzip_ops, .live = in->live };
	u->in = in;
	*out = &u->base;
	return 0;
}

/* --- descriptors ---------------------------------------------------------- */

struct file {
	struct source base;
	int fd;
	bool owned;		/* ours to close */
	bool regular;
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

	if (!f->regular)
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
	f->regular = S_ISREG(st.st_mode);
	if (f->regular)
		f->total = (uint64_t)st.st_size;
	if (owned)
		f->size = f->total;
	return source_gzip(s, &f->base);
}

/* A file in a packed one may be gzip'd. */
static int open_member(struct source **s, const char *path)
{
	struct source *in;
	int err = source_packed_open(&in, path);

	return err ? err : source_gzip(s, in);
}

int source_open(struct source **s, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	if (fd < 0 && errno == ENOTDIR)
		return open_member(s, path);
	return fd < 0 ? -errno : file_source(s, fd, true);
}

int source_fd(struct source **s, int fd)
{
	return file_source(s, fd, false);
}

/* --- memory --------------------------------------------------------------- */

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
