/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The records of a full chunk, packed: a head with both lengths, and deflated
 * bytes behind it.  Pieces stand one behind the other in memory and are written
 * nowhere.
 */
#ifndef CAPTURE_PIECE_H
#define CAPTURE_PIECE_H

#include <stddef.h>
#include <stdint.h>

struct z_stream_s;		/* zlib.h */

/*
 * Packs len bytes into room bytes at out, with a stream of deflateInit().  How
 * many it took; 0: there is not enough room.
 */
size_t piece_pack(struct z_stream_s *z, const void *records, size_t len,
		  uint8_t *out, size_t room);

/*
 * Unpacks the piece at *at of these used bytes, and moves *at behind it: len
 * bytes, of room that there is.  0; -ENOMEM; -EINVAL: that is no piece.
 */
int piece_unpack(const uint8_t *pieces, size_t used, size_t *at, uint8_t *out,
		 size_t room, size_t *len);

#endif
