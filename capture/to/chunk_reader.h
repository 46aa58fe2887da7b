/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A reader of a lane's chunks, in order, while they are written.  Writers do
 * not wait for it: it skips chunks that are gone, and reports that.
 */
#ifndef CAPTURE_TO_CHUNK_READER_H
#define CAPTURE_TO_CHUNK_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct chunk;			/* capture/to/chunks.h */
struct chunk_lane;
struct chunks;
struct piece;			/* capture/to/piece.h */
struct unpacker;		/* pack/unpacker.h */

/* before the first look, set the first four members and last, others zero */
struct chunk_reader {
	struct chunks *chunks;
	struct chunk_lane *lane;
	uint64_t from;		/* ns: skips older chunks */
	bool along;		/* chunks it has read may be packed */
	struct chunk *at;	/* pinned, or NULL */
	size_t done;		/* bytes taken of it, or of its piece */
	uint8_t *piece;		/* a piece of it, unpacked; owned */
	struct unpacker *unpacker;	/* or NULL; owned */
	size_t piece_len;
	size_t pieces_done;	/* packed bytes read */
	int error;		/* -ENOMEM: it has stopped */
	uint64_t serial;	/* of the chunk, or of the last one */
	uint64_t last;		/* ns, of the newest event read before it;
				 * initially the start of reading */
	/* chunks have gone unread, with events after the newest one read up to
	 * the newest unread one, ns; chunk_reader_look() sets it, even if it
	 * returns 0, and the caller resets it */
	bool skipped;
	uint64_t skipped_from, skipped_to;
};

/* bytes of whole records not taken yet, and *records, valid until all are
 * taken; 0: none now */
size_t chunk_reader_look(struct chunk_reader *r, const uint8_t **records);

/* len of these bytes, whole records, have been read */
static inline void chunk_reader_take(struct chunk_reader *r, size_t len)
{
	r->done += len;
}

/* whether an unread piece is next: *p, valid until the reader's next call */
bool chunk_reader_piece(struct chunk_reader *r, struct piece *p);

/* the whole piece has been read */
void chunk_reader_pass(struct chunk_reader *r, const struct piece *p);

/* frees what it owns, and unpins its chunk */
void chunk_reader_end(struct chunk_reader *r);

#endif
