/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The records of a full chunk, packed: a gzip member behind a head.  Pieces
 * stand one behind the other in memory; in files only their members do, just as
 * they are.
 */
#ifndef CAPTURE_TO_PIECE_H
#define CAPTURE_TO_PIECE_H

#include <stddef.h>
#include <stdint.h>

struct z_stream_s;		/* zlib.h */

struct piece {
	const uint8_t *member;	/* whose pieces they are owns it */
	size_t len;		/* bytes of it */
	uint64_t newest;	/* ns: none of its events is newer */
	size_t end;		/* where the next one is, if there is one */
};

/* a stream for piece_pack(), which is deflateEnd()'s when that is over; level:
 * of gzip, 1 to 9; 0 or -ENOMEM */
int piece_begin(struct z_stream_s *z, int level);

/* packs len bytes of whole records into room bytes at out; how many it took; 0:
 * there is not enough room */
size_t piece_pack(struct z_stream_s *z, const void *records, size_t len,
		  uint64_t newest, uint8_t *out, size_t room);

/* the piece at that place of used bytes; 0, or -EINVAL: there is none */
int piece_at(const uint8_t *pieces, size_t used, size_t at, struct piece *p);

/* len bytes of records to out, which has that room; 0; -ENOMEM; -EINVAL: that
 * is not packed, or is more */
int piece_unpack(const struct piece *p, uint8_t *out, size_t room,
		 size_t *len);

#endif
