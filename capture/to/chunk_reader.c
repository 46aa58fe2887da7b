/* SPDX-License-Identifier: GPL-2.0-only */
/* A reader of a lane's chunks; see chunk_reader.h. */
#include <errno.h>
#include <stdlib.h>

#include "capture/to/chunk_reader.h"
#include "capture/to/chunks.h"
#include "capture/to/piece.h"
#include "pack/unpacker.h"

/* The next chunk, with the lock held; NULL: none yet. */
static struct chunk *next_of(const struct chunk_reader *r)
{
	struct chunk *k = r->at ? r->at->newer : r->lane->oldest;

	while (k && (k->serial <= r->serial ||
		     (k->full && atomic_load(&k->last) < r->from)))
		k = k->newer;
	return k;
}

static void note_skip(struct chunk_reader *r, const struct chunk *next)
{
	if (next->first == r->serial + 1)
		return;
	if (!r->skipped)
		r->skipped_from = r->last;
	r->skipped = true;
	r->skipped_to = next->after;
}

static bool go_on(struct chunk_reader *r)
{
	struct chunk *next;

	pthread_mutex_lock(&r->chunks->lock);
	next = next_of(r);
	if (next) {
		if (r->at) {
			r->last = atomic_load(&r->at->last);
			r->at->pins--;
		}
		note_skip(r, next);
		next->pins++;
		r->at = next;
		r->done = r->piece_len = r->pieces_done = 0;
		r->serial = next->serial;
		if (r->along)
			r->lane->passed = next->first;
	}
	pthread_mutex_unlock(&r->chunks->lock);
	return next;
}

/* Whether its chunk has more.  A pinned chunk gets no more pieces. */
static bool has_some(const struct chunk_reader *r)
{
	size_t used;

	if (!r->at)
		return false;
	used = atomic_load_explicit(&r->at->used, memory_order_acquire);
	if (r->at->packed)
		return r->done < r->piece_len || r->pieces_done < used;
	return r->done < used;
}

/* A chunk with a next one gets no more records. */
static bool has_next(struct chunk_reader *r)
{
	bool has;

	pthread_mutex_lock(&r->chunks->lock);
	has = next_of(r);
	pthread_mutex_unlock(&r->chunks->lock);
	return has;
}

/* Moves to the next bytes not taken; false: none. */
static bool advance(struct chunk_reader *r)
{
	while (!has_some(r)) {
		if (r->error || !has_next(r))
			return false;
		if (!has_some(r))
			go_on(r);
	}
	return !r->error;
}

/* --- records -------------------------------------------------------------- */

static bool find_piece(struct chunk_reader *r, struct piece *p)
{
	r->error = piece_at(r->at->bytes, atomic_load(&r->at->used),
			    r->pieces_done, p);
	return !r->error;
}

static void unpack(struct chunk_reader *r)
{
	struct piece p;

	if (!find_piece(r, &p))
		return;
	if (!r->piece)
		r->piece = malloc(r->chunks->each);
	if (!r->piece) {
		r->error = -ENOMEM;
		return;
	}
	r->error = piece_unpack(&p, &r->unpacker, r->piece, r->chunks->each,
				&r->piece_len);
	if (r->error)
		r->piece_len = 0;
	r->pieces_done = p.end;
	r->done = 0;
}

static size_t left_packed(struct chunk_reader *r, const uint8_t **records)
{
	if (r->done == r->piece_len)
		unpack(r);
	*records = r->piece + r->done;
	return r->piece_len - r->done;
}

static size_t left(struct chunk_reader *r, const uint8_t **records)
{
	size_t used;

	if (r->at->packed)
		return left_packed(r, records);
	used = atomic_load_explicit(&r->at->used, memory_order_acquire);
	*records = r->at->bytes + r->done;
	return used - r->done;
}

/* A piece may have no records. */
size_t chunk_reader_look(struct chunk_reader *r, const uint8_t **records)
{
	while (advance(r)) {
		size_t len = left(r, records);

		if (len)
			return len;
	}
	return 0;
}

bool chunk_reader_piece(struct chunk_reader *r, struct piece *p)
{
	return advance(r) && r->at->packed && r->done == r->piece_len &&
	       find_piece(r, p);
}

void chunk_reader_pass(struct chunk_reader *r, const struct piece *p)
{
	r->pieces_done = p->end;
	r->done = r->piece_len = 0;
}

void chunk_reader_end(struct chunk_reader *r)
{
	free(r->piece);
	unpacker_free(r->unpacker);
	r->piece = NULL;
	r->unpacker = NULL;
	r->piece_len = 0;
	if (!r->at)
		return;
	pthread_mutex_lock(&r->chunks->lock);
	r->at->pins--;
	pthread_mutex_unlock(&r->chunks->lock);
	r->at = NULL;
}
