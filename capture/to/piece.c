/* SPDX-License-Identifier: GPL-2.0-only */
/* The records of a full chunk, packed; see piece.h. */
#include <errno.h>
#include <string.h>
#include <zlib.h>

#include "capture/to/piece.h"

enum {
	GZIP = 15 + 16,
	MEMORY_LEVEL = 8,
};

struct head {
	uint64_t newest;	/* ns */
	uint64_t packed;	/* bytes behind the head */
};

int piece_begin(struct z_stream_s *z, int level)
{
	*z = (z_stream){ .next_in = NULL };
	return deflateInit2(z, level, Z_DEFLATED, GZIP, MEMORY_LEVEL,
			    Z_DEFAULT_STRATEGY) == Z_OK ? 0 : -ENOMEM;
}

size_t piece_pack(struct z_stream_s *z, const void *records, size_t len,
		  uint64_t newest, uint8_t *out, size_t room)
{
	struct head h = { .newest = newest };

	if (room <= sizeof(h) || deflateReset(z) != Z_OK)
		return 0;
	z->next_in = (Bytef *)records;
	z->avail_in = (uInt)len;
	z->next_out = out + sizeof(h);
	z->avail_out = (uInt)(room - sizeof(h));
	if (deflate(z, Z_FINISH) != Z_STREAM_END)
		return 0;
	h.packed = z->total_out;
	memcpy(out, &h, sizeof(h));
	return sizeof(h) + z->total_out;
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
