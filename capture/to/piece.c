/* SPDX-License-Identifier: GPL-2.0-only */
/* Packed chunks; see piece.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "capture/to/piece.h"

enum {
	GZIP = 15 + 16,
	MEMORY_LEVEL = 8,
};

struct head {
	uint64_t newest;	/* ns */
	uint64_t packed;	/* bytes after the head */
};

struct piece_packer {
	z_stream z;
};

struct piece_packer *piece_packer_new(int level)
{
	struct piece_packer *p = calloc(1, sizeof(*p));

	if (p && deflateInit2(&p->z, level, Z_DEFLATED, GZIP, MEMORY_LEVEL,
			      Z_DEFAULT_STRATEGY) == Z_OK)
		return p;
	free(p);
	return NULL;
}

void piece_packer_free(struct piece_packer *p)
{
	if (!p)
		return;
	deflateEnd(&p->z);
	free(p);
}

/* Bytes used; 0: too little room. */
static size_t compress_to(struct piece_packer *p, const void *records,
			  size_t len, uint8_t *out, size_t room)
{
	z_stream *z = &p->z;

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

int piece_unpack(const struct piece *p, uint8_t *out, size_t room, size_t *len)
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
