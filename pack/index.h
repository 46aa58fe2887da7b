/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Writes the index of a packed file: where each block is.
 *
 * An index block has the entries since the one before it.  It is written when
 * INDEX_ENTRIES blocks have come, and at the end, before the end block.
 */
#ifndef PACK_INDEX_H
#define PACK_INDEX_H

#include <stddef.h>
#include <stdint.h>

struct pack_header;		/* pack/format.h */
struct frame_packer;		/* pack/frame.h */

enum {
	INDEX_ENTRIES = 32768,
	INDEX_ENTRY = 20,	/* bytes in an index block, which has three
				 * columns: offsets in the file (8 bytes
				 * each), first bytes in the streams (8),
				 * streams (4) */
};

struct pack_index {
	/* appends a block to the file: 0 and its offset, or -errno */
	int (*put)(void *ctx, const uint8_t *block, size_t len, uint64_t *at);
	void *ctx;
	struct frame_packer *frame;
	uint8_t *columns;	/* of the entries since the last index block */
	size_t count;
	uint64_t number;	/* entries before */
	uint64_t last;		/* offset of the last index block, or 0 */
};

/* 0, and *x is empty, with the functions set; -ENOMEM; -EOPNOTSUPP: built
 * without libzstd */
int pack_index_begin(struct pack_index *x);

/* Adds the block of header h, which is at offset in the file.  0, or -errno of
 * put or memory. */
int pack_index_add(struct pack_index *x, const struct pack_header *h,
		   uint64_t offset);

/* Writes what is left of the index, and the end block.  0 or -errno. */
int pack_index_end(struct pack_index *x);

/* frees what *x holds; an all-zero one is fine */
void pack_index_free(struct pack_index *x);

#endif
