/* SPDX-License-Identifier: GPL-2.0-only */
/* The records of a full chunk, packed; see piece.h. */
#include <errno.h>
#include <string.h>
#include <zlib.h>

#include "capture/piece.h"

struct head {
	uint32_t len;		/* bytes of records */
	uint32_t packed;	/* bytes behind the head */
};

size_t piece_pack(struct z_stream_s *z, const void *records, size_t len,
		  uint8_t *out, size_t room)
{
	struct head h = { .len = (uint32_t)len };

	if (room <= sizeof(h) || deflateReset(z) != Z_OK)
		return 0;
	z->next_in = (Bytef *)records;
	z->avail_in = (uInt)len;
	z->next_out = out + sizeof(h);
	z->avail_out = (uInt)(room - sizeof(h));
	if (deflate(z, Z_FINISH) != Z_STREAM_END)
		return 0;
	h.packed = (uint32_t)z->total_out;
	memcpy(out, &h, sizeof(h));
	return sizeof(h) + h.packed;
}

int piece_unpack(const uint8_t *pieces, size_t used, size_t *at, uint8_t *out,
		 size_t room, size_t *len)
{
	struct head h;
	uLongf got = room;
	int err;

	if (used - *at < sizeof(h))
		return -EINVAL;
	memcpy(&h, pieces + *at, sizeof(h));
	if (used - *at - sizeof(h) < h.packed)
		return -EINVAL;
	err = uncompress(out, &got, pieces + *at + sizeof(h), h.packed);
	if (err == Z_MEM_ERROR)
		return -ENOMEM;
	if (err != Z_OK || got != h.len)
		return -EINVAL;
	*at += sizeof(h) + h.packed;
	*len = got;
	return 0;
}
