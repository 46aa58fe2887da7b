/* SPDX-License-Identifier: GPL-2.0-only */
/* Replaces frame.c in builds without libzstd. */
#include <errno.h>

#include "pack/frame.h"

bool frame_built(void)
{
	return false;
}

struct frame_packer *frame_packer_new(void)
{
	return NULL;
}

void frame_packer_free(struct frame_packer *f)
{
	(void)f;
}

size_t frame_bound(size_t len, size_t count)
{
	return (void)count, len;
}

ssize_t frame_pack(struct frame_packer *f, const struct iovec *parts,
		   size_t count, uint8_t *out, size_t room)
{
	(void)f, (void)parts, (void)count, (void)out, (void)room;
	return -EOPNOTSUPP;
}

struct frame_unpacker *frame_unpacker_new(void)
{
	return NULL;
}

void frame_unpacker_free(struct frame_unpacker *f)
{
	(void)f;
}

int frame_unpack(struct frame_unpacker *f, void *out, size_t len,
		 const uint8_t *frame, size_t frame_len)
{
	(void)f, (void)out, (void)len, (void)frame, (void)frame_len;
	return -EOPNOTSUPP;
}

struct frame_stream *frame_stream_new(void)
{
	return NULL;
}

void frame_stream_free(struct frame_stream *f)
{
	(void)f;
}

bool frame_stream_is_whole(const struct frame_stream *f)
{
	(void)f;
	return true;
}

ssize_t frame_stream_unpack(struct frame_stream *f, const uint8_t **bytes,
			    size_t *len, void *out, size_t room)
{
	(void)f, (void)bytes, (void)len, (void)out, (void)room;
	return -EOPNOTSUPP;
}
