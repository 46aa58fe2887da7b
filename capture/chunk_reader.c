/* SPDX-License-Identifier: GPL-2.0-only */
/* One who reads along what a lane has in chunks; see chunk_reader.h. */
#include <errno.h>
#include <stdlib.h>

#include "capture/chunk_reader.h"
#include "capture/chunks.h"
#include "capture/piece.h"

/* The chunk that follows, with the lock held; NULL: there is none yet. */
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

/* Of pieces no more come while it is pinned. */
static bool unpack(struct chunk_reader *r)
{
	size_t used = atomic_load(&r->at->used);

	if (r->pieces_done == used)
		return false;
	if (!r->piece)
		r->piece = malloc(r->chunks->each);
	if (!r->piece) {
		r->error = -ENOMEM;
		return false;
	}
	r->error = piece_unpack(r->at->bytes, used, &r->pieces_done, r->piece,
				r->chunks->each, &r->piece_len);
	r->done = 0;
	return !r->error;
}

static size_t left_packed(struct chunk_reader *r, const uint8_t **records)
{
	if (r->done == r->piece_len && !unpack(r))
		return 0;
	*records = r->piece + r->done;
	return r->piece_len - r->done;
}

static size_t left(struct chunk_reader *r, const uint8_t **records)
{
	size_t used;

	if (!r->at)
		return 0;
	if (r->at->packed)
		return left_packed(r, records);
	used = atomic_load_explicit(&r->at->used, memory_order_acquire);
	*records = r->at->bytes + r->done;
	return used - r->done;
}

/* A chunk that has one behind it has all it will have. */
static bool has_next(struct chunk_reader *r)
{
	bool has;

	pthread_mutex_lock(&r->chunks->lock);
	has = next_of(r);
	pthread_mutex_unlock(&r->chunks->lock);
	return has;
}

size_t chunk_reader_look(struct chunk_reader *r, const uint8_t **records)
{
	size_t len = left(r, records);

	while (!len && !r->error && has_next(r)) {
		len = left(r, records);
		if (!len && !r->error && go_on(r))
			len = left(r, records);
	}
	return len;
}

void chunk_reader_end(struct chunk_reader *r)
{
	free(r->piece);
	r->piece = NULL;
	r->piece_len = 0;
	if (!r->at)
		return;
	pthread_mutex_lock(&r->chunks->lock);
	r->at->pins--;
	pthread_mutex_unlock(&r->chunks->lock);
	r->at = NULL;
}
