/* SPDX-License-Identifier: GPL-2.0-only */
/* Index blocks; see index.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/little.h"
#include "pack/format.h"
#include "pack/frame.h"
#include "pack/index.h"

/* where columns start while entries are added, 8 bytes each at first */
enum {
	OFFSETS = 0,
	FIRSTS = 8 * INDEX_ENTRIES,
	STREAMS = 16 * INDEX_ENTRIES,
};

int pack_index_begin(struct pack_index *x)
{
	x->count = 0;
	x->number = x->last = 0;
	x->frame = frame_packer_new();
	x->columns = malloc((size_t)INDEX_ENTRIES * INDEX_ENTRY);
	if (x->frame && x->columns)
		return 0;
	pack_index_free(x);
	return frame_built() ? -ENOMEM : -EOPNOTSUPP;
}

void pack_index_free(struct pack_index *x)
{
	frame_packer_free(x->frame);
	free(x->columns);
	x->frame = NULL;
	x->columns = NULL;
}

/* Puts a block without a name; 0 and its offset, or -errno. */
static int put(struct pack_index *x, const struct pack_header *h,
	       uint8_t *block, uint64_t *at)
{
	pack_header_put(h, block);
	return x->put(x->ctx, block, pack_block_size(h), at);
}

static int write_entries(struct pack_index *x)
{
	const struct iovec parts[] = {
		{ x->columns + OFFSETS, 8 * x->count },
		{ x->columns + FIRSTS, 8 * x->count },
		{ x->columns + STREAMS, 4 * x->count },
	};
	struct pack_header h = {
		.kind = PACK_INDEX, .cpu = PACK_ALL_CPUS, .at = x->last,
		.number = x->number, .least = UINT64_MAX,
		.columns_len = (uint32_t)(x->count * INDEX_ENTRY),
	};
	size_t room = frame_bound(h.columns_len, 3);
	uint8_t *block = malloc(PACK_FIXED + room);
	ssize_t n = block ? frame_pack(x->frame, parts, 3, block + PACK_FIXED,
				       room) : -ENOMEM;
	int err = n < 0 ? (int)n : 0;

	h.columns_packed = n < 0 ? 0 : (uint32_t)n;
	if (!err)
		err = put(x, &h, block, &x->last);
	free(block);
	x->number += x->count;
	x->count = 0;
	return err;
}

int pack_index_add(struct pack_index *x, const struct pack_header *h,
		   uint64_t offset)
{
	size_t i = x->count++;

	put_le64(x->columns + OFFSETS + 8 * i, offset);
	put_le64(x->columns + FIRSTS + 8 * i, h->at);
	put_le32(x->columns + STREAMS + 4 * i, h->stream);
	return x->count == INDEX_ENTRIES ? write_entries(x) : 0;
}

int pack_index_end(struct pack_index *x)
{
	struct pack_header h = { .kind = PACK_END, .cpu = PACK_ALL_CPUS,
				 .least = UINT64_MAX };
	uint8_t block[PACK_FIXED];
	int err = x->count ? write_entries(x) : 0;
	uint64_t at;

	h.at = x->last;
	h.number = x->number;
	return err ? err : put(x, &h, block, &at);
}
