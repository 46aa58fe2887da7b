/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A piece: the records of a full chunk, packed after a head, as a gzip member
 * or as blocks of pack/format.h.  Pieces are adjacent in memory; gzip'd files
 * have their members, unchanged.
 */
#ifndef CAPTURE_TO_PIECE_H
#define CAPTURE_TO_PIECE_H

#include <stddef.h>
#include <stdint.h>

struct piece_packer;
struct unpacker;			/* pack/unpacker.h */

struct piece {
	const uint8_t *member;	/* or blocks; the owner of the pieces owns it */
	size_t len;		/* bytes of the member */
	uint64_t newest;	/* ns: no later event in it */
	size_t end;		/* offset of the next piece, if any */
};

/* level: of gzip, 1 to 9; 0: blocks.  NULL: no memory, or for blocks built
 * without libzstd */
struct piece_packer *piece_packer_new(int level);

/* packs len bytes of whole records into room bytes at out; bytes used; 0: too
 * little room */
size_t piece_pack(struct piece_packer *p, const void *records, size_t len,
		  uint64_t newest, uint8_t *out, size_t room);

void piece_packer_free(struct piece_packer *p);	/* NULL is fine */

/* the piece at that offset of used bytes; 0, or -EINVAL: none */
int piece_at(const uint8_t *pieces, size_t used, size_t at, struct piece *p);

/* unpacks len bytes of records to out, which has that room; *u: NULL, or of
 * another call, to unpacker_free().  0; -ENOMEM; -EINVAL: not packed, or
 * more */
int piece_unpack(const struct piece *p, struct unpacker **u, uint8_t *out,
		 size_t room, size_t *len);

#endif
