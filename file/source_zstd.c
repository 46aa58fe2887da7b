/* SPDX-License-Identifier: GPL-2.0-only */
/* Sources that zstd has packed; see source_zstd.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "file/source_layer.h"
#include "file/source_zstd.h"
#include "pack/frame.h"

enum { PACKED_SIZE = 65536 };

struct zstd {
	struct source base;
	struct source *in;
	struct frame_stream *frames;
	const uint8_t *at;	/* what is not unpacked yet, left bytes */
	size_t left;
	bool dead;		/* a frame is broken */
	uint8_t packed[PACKED_SIZE];
};

bool source_zstd_may_be(const uint8_t *bytes, size_t len)
{
	static const uint8_t magic[ZSTD_MAGIC_LEN] = { 0x28, 0xb5, 0x2f, 0xfd };

	return !memcmp(bytes, magic, len < ZSTD_MAGIC_LEN ? len :
							    ZSTD_MAGIC_LEN);
}

/* More packed bytes; their number, 0 at the end, or -errno. */
static ssize_t refill(struct zstd *z)
{
	ssize_t n = z->in->ops->read(z->in, z->packed, sizeof(z->packed));

	if (n > 0) {
		z->at = z->packed;
		z->left = (size_t)n;
	}
	return n;
}

static ssize_t unpack(struct zstd *z, void *buf, size_t len)
{
	ssize_t n = frame_stream_unpack(z->frames, &z->at, &z->left, buf, len);

	z->dead = n < 0;
	return n;
}

static ssize_t zstd_read(struct source *s, void *buf, size_t len)
{
	struct zstd *z = (struct zstd *)s;
	ssize_t n = z->dead ? 0 : unpack(z, buf, len);

	while (!n && !z->dead) {
		n = refill(z);
		if (n < 0)
			return source_pass(s, z->in, n);
		if (!n)		/* between frames, or inside one */
			return frame_stream_is_whole(z->frames) ? 0 : -EBADMSG;
		n = unpack(z, buf, len);
	}
	return n;
}

static int zstd_wait(struct source *s, int ms)
{
	struct source *in = ((struct zstd *)s)->in;

	return in->ops->wait(in, ms);
}

static void zstd_progress(const struct source *s, uint64_t *done,
			  uint64_t *total)
{
	const struct source *in = ((const struct zstd *)s)->in;

	in->ops->progress(in, done, total);
}

static void zstd_close(struct source *s)
{
	struct zstd *z = (struct zstd *)s;

	z->in->ops->close(z->in);
	frame_stream_free(z->frames);
	free(z);
}

static const struct source_ops zstd_ops = { zstd_read, zstd_wait, NULL,
					     zstd_progress, zstd_close };

int source_zstd(struct source **out, struct source *in, const void *head,
		size_t len)
{
	struct zstd *z = calloc(1, sizeof(*z));

	if (!z)
		return -ENOMEM;
	z->base = (struct source){ .ops = &zstd_ops, .live = in->live,
				   .packed = true };
	z->frames = frame_stream_new();
	if (!z->frames) {
		free(z);
		return frame_built() ? -ENOMEM : -EOPNOTSUPP;
	}
	z->in = in;
	memcpy(z->packed, head, len);
	z->at = z->packed;
	z->left = len;
	*out = &z->base;
	return 0;
}
