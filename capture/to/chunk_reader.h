/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One who reads along what a lane has in chunks, in the order in which it came.
 * Writers do not wait for it: what has gone meanwhile is passed over, and that
 * is known.
 */
#ifndef CAPTURE_TO_CHUNK_READER_H
#define CAPTURE_TO_CHUNK_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct chunk;			/* capture/to/chunks.h */
struct chunk_lane;
struct chunks;
struct piece;			/* capture/to/chunks.h */

/* zeroed but for the first four and last: before the beginning */
struct chunk_reader {
	struct chunks *chunks;
	struct chunk_lane *lane;
	uint64_t from;		/* ns: chunks are left out that are older */
	bool along;		/* what it has left behind may be packed */
	struct chunk *at;	/* pinned, or NULL */
	size_t done;		/* bytes of it, or its piece, that were taken */
	uint8_t *piece;		/* one of it, unpacked; owned */
	size_t piece_len;
	size_t pieces_done;	/* bytes of packed ones */
	int error;		/* -ENOMEM: it brings nothing any more */
	uint64_t serial;	/* of it, or of the last one */
	uint64_t last;		/* ns, of the newest event in those before;
				 * at first when reading begins */
	/* chunks have gone unread: from the newest event that was read to the
	 * newest that was not, ns; set by chunk_reader_look(), also if it
	 * brings nothing, and the caller's to reset */
	bool skipped;
	uint64_t skipped_from, skipped_to;
};

/* What has not been taken, whole records: bytes of them, and *records, good
 * until all of it is taken; 0: there is nothing now. */
size_t chunk_reader_look(struct chunk_reader *r, const uint8_t **records);

/* so many of these bytes, which are whole records, have been read */
static inline void chunk_reader_take(struct chunk_reader *r, size_t len)
{
	r->done += len;
}

/* Whether a piece comes next of which nothing has been looked at: *p, good
 * until the reader goes on. */
bool chunk_reader_piece(struct chunk_reader *r, struct piece *p);

/* all of that piece has been read */
void chunk_reader_pass(struct chunk_reader *r, const struct piece *p);

/* lets go of what is pinned and owned */
void chunk_reader_end(struct chunk_reader *r);

#endif
