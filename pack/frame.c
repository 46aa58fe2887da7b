/* SPDX-License-Identifier: GPL-2.0-only */
/* Frames by libzstd; see frame.h. */
#include <errno.h>
#include <stdlib.h>
#include <zstd.h>

#include "pack/frame.h"

/* Level 2 and up take more time for the same size, as what is left to compress
 * are symbols. */
enum {
	LEVEL = 1,
	APART = 512,		/* bytes of a part worth a block of zstd */
	BLOCK_HEAD = 16,	/* bytes of that at most */
};

bool frame_built(void)
{
	return true;
}

struct frame_packer *frame_packer_new(void)
{
	ZSTD_CCtx *c = ZSTD_createCCtx();

	if (c && (ZSTD_isError(ZSTD_CCtx_setParameter(
			  c, ZSTD_c_compressionLevel, LEVEL)) ||
		  ZSTD_isError(ZSTD_CCtx_setParameter(
			  c, ZSTD_c_checksumFlag, 1)))) {
		ZSTD_freeCCtx(c);
		c = NULL;
	}
	return (struct frame_packer *)c;
}

void frame_packer_free(struct frame_packer *f)
{
	ZSTD_freeCCtx((ZSTD_CCtx *)f);
}

size_t frame_bound(size_t len, size_t count)
{
	return ZSTD_compressBound(len) + count * BLOCK_HEAD;
}

/* false: no memory, or no room */
static bool add(ZSTD_CCtx *c, ZSTD_outBuffer *out, const struct iovec *part,
		ZSTD_EndDirective mode)
{
	ZSTD_inBuffer in = { part->iov_base, part->iov_len, 0 };
	size_t left = ZSTD_compressStream2(c, out, &in, mode);

	return !ZSTD_isError(left) && in.pos == in.size &&
	       (mode == ZSTD_e_continue || !left);
}

ssize_t frame_pack(struct frame_packer *f, const struct iovec *parts,
		   size_t count, uint8_t *out, size_t room)
{
	static const struct iovec nothing;
	ZSTD_CCtx *c = (ZSTD_CCtx *)f;
	ZSTD_outBuffer to = { out, room, 0 };
	size_t total = 0;
	bool fine;

	for (size_t i = 0; i < count; i++)
		total += parts[i].iov_len;
	ZSTD_CCtx_reset(c, ZSTD_reset_session_only);
	fine = !ZSTD_isError(ZSTD_CCtx_setPledgedSrcSize(c, total));
	for (size_t i = 0; fine && i < count; i++)
		fine = add(c, &to, &parts[i],
			   parts[i].iov_len < APART ? ZSTD_e_continue :
						      ZSTD_e_flush);
	fine = fine && add(c, &to, &nothing, ZSTD_e_end);
	return fine ? (ssize_t)to.pos : -ENOMEM;
}

struct frame_unpacker *frame_unpacker_new(void)
{
	return (struct frame_unpacker *)ZSTD_createDCtx();
}

void frame_unpacker_free(struct frame_unpacker *f)
{
	ZSTD_freeDCtx((ZSTD_DCtx *)f);
}

int frame_unpack(struct frame_unpacker *f, void *out, size_t len,
		 const uint8_t *frame, size_t frame_len)
{
	size_t n = ZSTD_decompressDCtx((ZSTD_DCtx *)f, out, len, frame,
				       frame_len);

	return n == len ? 0 : -EBADMSG;
}

struct frame_stream {
	ZSTD_DStream *z;
	bool whole;		/* between two frames */
};

struct frame_stream *frame_stream_new(void)
{
	struct frame_stream *f = malloc(sizeof(*f));

	if (!f)
		return NULL;
	*f = (struct frame_stream){ ZSTD_createDStream(), true };
	if (f->z)
		return f;
	free(f);
	return NULL;
}

void frame_stream_free(struct frame_stream *f)
{
	if (!f)
		return;
	ZSTD_freeDStream(f->z);
	free(f);
}

bool frame_stream_is_whole(const struct frame_stream *f)
{
	return f->whole;
}

ssize_t frame_stream_unpack(struct frame_stream *f, const uint8_t **bytes,
			    size_t *len, void *out, size_t room)
{
	ZSTD_inBuffer in = { *bytes, *len, 0 };
	ZSTD_outBuffer to = { out, room, 0 };
	size_t before, left;

	do {
		before = in.pos;
		left = ZSTD_decompressStream(f->z, &to, &in);
		if (ZSTD_isError(left))
			return -EBADMSG;
		if (in.pos > before || to.pos)
			f->whole = !left;
	} while (!to.pos && in.pos > before);
	*bytes += in.pos;
	*len -= in.pos;
	return (ssize_t)to.pos;
}
