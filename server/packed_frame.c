/* SPDX-License-Identifier: GPL-2.0-only */
/* Unpacking what a client has packed; see packed_frame.h. */
#include <errno.h>
#include <stdbool.h>
#include <sys/types.h>

#include "pack/format.h"
#include "pack/unpacker.h"
#include "server/packed_frame.h"

/* Whether unpacking takes more time than its records are worth. */
static bool is_bloated(const struct pack_header *h)
{
	return (size_t)h->columns_len + h->notes_len >
	       2 * (size_t)h->len + PACK_FIXED;
}

/* The header of the block at p, which must be whole: its bytes, or -EBADMSG. */
static int get_header(struct pack_header *h, const uint8_t *p, size_t len,
		      const char **why)
{
	int head = pack_header_get(h, p, len, why);

	if (head < 0)
		return head;
	*why = "a packed block is cut short";
	if (!head || pack_block_size(h) > len)
		return -EBADMSG;
	*why = "a packed block without records";
	return h->kind < PACK_INDEX && !is_bloated(h) ? head : -EBADMSG;
}

/* What a block has to out, which has room: its bytes, or -errno. */
static ssize_t unpack(struct unpacker *u, const struct pack_header *h,
		      const uint8_t *body, uint8_t *out, size_t room)
{
	int err = unpacker_begin(u, h, body);
	size_t have = 0;
	ssize_t n = 1;

	if (err)
		return err;
	while (have < room && n > 0) {
		n = unpacker_read(u, out + have, room - have);
		if (n > 0)
			have += (size_t)n;
	}
	return n < 0 ? n : (ssize_t)have;
}

int packed_frame_read(struct unpacker *u, const uint8_t *p, size_t len,
		      uint8_t *out, size_t out_len, const char **why)
{
	while (len) {
		struct pack_header h;
		int head = get_header(&h, p, len, why);
		ssize_t n;

		if (head < 0)
			return head;
		*why = "a packed block has other bytes than announced";
		if (h.len > out_len)
			return -EBADMSG;
		n = unpack(u, &h, p + head, out, h.len);
		if (n == -EBADMSG)
			*why = "a packed block is damaged";
		if (n < 0 || n != (ssize_t)h.len)
			return n < 0 ? (int)n : -EBADMSG;
		out += n;
		out_len -= (size_t)n;
		p += pack_block_size(&h);
		len -= pack_block_size(&h);
	}
	*why = "packed blocks have fewer bytes than announced";
	return out_len ? -EBADMSG : 0;
}
