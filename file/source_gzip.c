/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The layer over every source, which unpacks gzip.
 *
 * blktrace writes a gzip member at each flush, and the last may be cut short:
 * whole bytes are handed out before the error.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "file/source.h"
#include "file/source_impl.h"

enum { PACKED_SIZE = 16384, ANY_GZIP = 15 + 16 };

struct gzip {
	struct source base;
	struct source *in;
	uint8_t head[2];	/* the first bytes, until they are handed out */
	size_t head_len;
	enum { UNKNOWN, PLAIN, GZIP, DEAD } mode;
	int error;		/* of the source beneath, returned once */
	z_stream z;
	uint8_t *packed;	/* PACKED_SIZE; NULL: nothing is packed */
};

/* 0 when the mode is known, or -errno of the source beneath. */
static int find_mode(struct gzip *u)
{
	while (u->head_len < sizeof(u->head)) {
		ssize_t n = source_read(u->in, u->head + u->head_len,
					sizeof(u->head) - u->head_len);

		if (n == -EAGAIN)
			return -EAGAIN;
		if (n < 0)
			u->error = (int)n;
		if (n <= 0)
			break;
		u->head_len += (size_t)n;
	}
	u->mode = PLAIN;
	if (u->head_len < 2 || u->head[0] != 0x1f || u->head[1] != 0x8b)
		return 0;
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
	return err ? err : source_read(u->in, buf, len);
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

static ssize_t give_up(struct gzip *u, ssize_t error)
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
				return give_up(u, n);
			if (n == 0)	/* between members, or inside one */
				return give_up(u, u->z.total_in ? -EBADMSG : 0);
		}
		z = inflate(&u->z, Z_NO_FLUSH);
		if (z == Z_MEM_ERROR)
			return give_up(u, -ENOMEM);
		if (z == Z_STREAM_END)
			inflateReset(&u->z);
		else if (z != Z_OK && z != Z_BUF_ERROR && u->z.avail_out == len)
			return give_up(u, -EBADMSG);
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
	int err = u->mode == PLAIN ? source_seek(u->in, at) : -ESPIPE;

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
