/* SPDX-License-Identifier: GPL-2.0-only */
/* Frames of zstd (RFC 8878) with a checksum of their content. */
#ifndef PACK_FRAME_H
#define PACK_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <sys/uio.h>

struct frame_packer;
struct frame_unpacker;
struct frame_stream;

/* whether this build has libzstd; without it all functions fail */
bool frame_built(void);

/* NULL: no memory, or no libzstd */
struct frame_packer *frame_packer_new(void);
struct frame_unpacker *frame_unpacker_new(void);

/* NULL is fine */
void frame_packer_free(struct frame_packer *f);
void frame_unpacker_free(struct frame_unpacker *f);

/* the most bytes of a frame of len bytes in count parts */
size_t frame_bound(size_t len, size_t count);

/*
 * Packs parts, in order, into one frame at out, with room for frame_bound()
 * bytes.  Longer parts have statistics of their own.  Its bytes, or -ENOMEM.
 */
ssize_t frame_pack(struct frame_packer *f, const struct iovec *parts,
		   size_t count, uint8_t *out, size_t room);

/* Unpacks a frame of exactly len bytes.  0 or -EBADMSG. */
int frame_unpack(struct frame_unpacker *f, void *out, size_t len,
		 const uint8_t *frame, size_t frame_len);

/*
 * Frames of any length, which come and are unpacked in pieces.  A frame's
 * window is at most 128 MiB, which is what zstd itself allows.
 */

/* NULL: no memory, or no libzstd */
struct frame_stream *frame_stream_new(void);
void frame_stream_free(struct frame_stream *f);	/* NULL is fine */

/* whether what was unpacked ends with a frame's end */
bool frame_stream_is_whole(const struct frame_stream *f);

/*
 * Unpacks from *bytes, of which *len are left, and advances both.  The number
 * of bytes at out, at most room; 0: more input is needed; or -EBADMSG, after
 * which it is of no more use.
 */
ssize_t frame_stream_unpack(struct frame_stream *f, const uint8_t **bytes,
			    size_t *len, void *out, size_t room);

#endif
