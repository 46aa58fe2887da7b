/* SPDX-License-Identifier: GPL-2.0-only */
/* One who reads along what a lane has in chunks; see chunk_reader.h. */
#include "capture/chunk_reader.h"
#include "capture/chunks.h"

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
	if (next->serial == r->serial + 1)
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
		r->done = 0;
		r->serial = next->serial;
	}
	pthread_mutex_unlock(&r->chunks->lock);
	return next;
}

static size_t left(const struct chunk_reader *r, const uint8_t **records)
{
	size_t used;

	if (!r->at)
		return 0;
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

	while (!len && has_next(r)) {
		len = left(r, records);
		if (!len && go_on(r))
			len = left(r, records);
	}
	return len;
}

void chunk_reader_end(struct chunk_reader *r)
{
	if (!r->at)
		return;
	pthread_mutex_lock(&r->chunks->lock);
	r->at->pins--;
	pthread_mutex_unlock(&r->chunks->lock);
	r->at = NULL;
}
