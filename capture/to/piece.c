/* SPDX-License-Identifier: GPL-2.0-only */
/* Packed chunks; see piece.h. */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "capture/to/frame_packing.h"
#include "capture/to/piece.h"
#include "pack/format.h"
#include "pack/unpacker.h"

enum {
	GZIP = 15 + 16,
	MEMORY_LEVEL = 8,
};

struct head {
	uint64_t newest;	/* ns */
	uint64_t packed;	/* bytes after the head */
};

/* --- packing -------------------------------------------------------------- */

struct piece_packer {
	struct frame_packing *blocks;	/* NULL: gzip */
	z_stream z;
};

static bool begin(struct piece_packer *p, int level)
{
	if (level)
		return deflateInit2(&p->z, level, Z_DEFLATED, GZIP,
				    MEMORY_LEVEL, Z_DEFAULT_STRATEGY) == Z_OK;
	p->blocks = frame_packing_new();
	return p->blocks;
}

struct piece_packer *piece_packer_new(int level)
{
	struct piece_packer *p = calloc(1, sizeof(*p));

	if (p && begin(p, level))
		return p;
	free(p);
	return NULL;
}

void piece_packer_free(struct piece_packer *p)
{
	if (!p)
		return;
	if (p->blocks)
		frame_packing_free(p->blocks);
	else
		deflateEnd(&p->z);
	free(p);
}

/* Bytes used; 0: too little room. */
static size_t compress_to(struct piece_packer *p, const void *records,
			  size_t len, uint8_t *out, size_t room)
{
	z_stream *z = &p->z;

	if (p->blocks)
		return frame_packing_keep(p->blocks, records, len, out, room);
	if (deflateReset(z) != Z_OK)
		return 0;
	z->next_in = (Bytef *)records;
	z->avail_in = (uInt)len;
	z->next_out = out;
	z->avail_out = (uInt)room;
	return deflate(z, Z_FINISH) == Z_STREAM_END ? z->total_out : 0;
}

size_t piece_pack(struct piece_packer *p, const void *records, size_t len,
		  uint64_t newest, uint8_t *out, size_t room)
{
	struct head h = { .newest = newest };

	if (room <= sizeof(h))
		return 0;
	h.packed = compress_to(p, records, len, out + sizeof(h),
			       room - sizeof(h));
	memcpy(out, &h, sizeof(h));
	return h.packed ? sizeof(h) + (size_t)h.packed : 0;
}

int piece_at(const uint8_t *pieces, size_t used, size_t at, struct piece *p)
{
	struct head h;

	if (used < at || used - at < sizeof(h))
		return -EINVAL;
	memcpy(&h, pieces + at, sizeof(h));
	at += sizeof(h);
	if (used - at < h.packed)
		return -EINVAL;
	*p = (struct piece){ .member = pieces + at, .len = (size_t)h.packed,
			     .newest = h.newest,
			     .end = at + (size_t)h.packed };
	return 0;
}

/* --- unpacking ------------------------------------------------------------ */

/* The block at bytes, which it may fill, to out: its bytes; or -errno. */
static ssize_t unpack_block(struct unpacker *u, const uint8_t *bytes,
			    size_t len, size_t *size, uint8_t *out,
			    size_t room)
{
	struct pack_header h;
	const char *why;
	int head = pack_header_get(&h, bytes, len, &why), err;
	size_t have = 0;

	*size = head > 0 ? pack_block_size(&h) : 0;
	if (head <= 0 || *size > len || h.len > room)
		return -EINVAL;
	err = unpacker_begin(u, &h, bytes + head);
	while (!err && have < h.len) {
		ssize_t n = unpacker_read(u, out + have, h.len - have);

		err = n > 0 ? 0 : -EBADMSG;
		have += n > 0 ? (size_t)n : 0;
	}
	return !err ? (ssize_t)have : err == -ENOMEM ? err : -EINVAL;
}

static int unpack_blocks(const struct piece *p, struct unpacker *u,
			 uint8_t *out, size_t room, size_t *len)
{
	size_t at = 0, size;

	for (*len = 0; at < p->len; at += size) {
		ssize_t n = unpack_block(u, p->member + at, p->len - at, &size,
					 out + *len, room - *len);

		if (n < 0)
			return (int)n;
		*len += (size_t)n;
	}
	return 0;
}

static int unpack_member(const struct piece *p, uint8_t *out, size_t room,
			 size_t *len)
{
	z_stream z = { .next_in = (Bytef *)p->member,
		       .avail_in = (uInt)p->len,
		       .next_out = out, .avail_out = (uInt)room };
	int got;

	if (inflateInit2(&z, GZIP) != Z_OK)
		return -ENOMEM;
	got = inflate(&z, Z_FINISH);
	*len = room - z.avail_out;
	inflateEnd(&z);
	if (got == Z_MEM_ERROR)
		return -ENOMEM;
	return got == Z_STREAM_END ? 0 : -EINVAL;
}

int piece_unpack(const struct piece *p, struct unpacker **u, uint8_t *out,
		 size_t room, size_t *len)
{
	if (!pack_is(p->member, p->len))
		return unpack_member(p, out, room, len);
	if (!*u)
		*u = unpacker_new();
	return *u ? unpack_blocks(p, *u, out, room, len) : -ENOMEM;
}
