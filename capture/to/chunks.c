/* SPDX-License-Identifier: GPL-2.0-only */
/* A run's last records in memory; see chunks.h. */
#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "capture/to/chunks.h"

/* --- the pool ------------------------------------------------------------- */

size_t chunks_least(unsigned int lanes)
{
	return ((size_t)lanes + 1) * CHUNKS_LEAST * CHUNK_MIN;
}

/* A power of two. */
static uint32_t chunk_size(size_t size, unsigned int lanes)
{
	uint32_t each = CHUNK_MAX;

	while (each > CHUNK_MIN && size / each / (lanes + 1) < CHUNKS_A_LANE)
		each /= 2;
	return each;
}

static void link_unused(struct chunks *c)
{
	for (unsigned int i = c->count; i--;) {
		struct chunk *k = &c->all[i];

		k->bytes = c->memory + (size_t)i * c->each;
		k->newer = c->unused;
		c->unused = k;
	}
}

int chunks_new(struct chunks **out, size_t size, unsigned int lanes)
{
	struct chunks *c;

	if (size < chunks_least(lanes))
		return -EINVAL;
	c = calloc(1, sizeof(*c));
	if (!c)
		return -ENOMEM;
	pthread_mutex_init(&c->lock, NULL);
	c->each = chunk_size(size, lanes);
	c->count = (unsigned int)(size / c->each);
	c->size = (size_t)c->count * c->each;
	c->lanes_max = lanes;
	c->lanes = calloc(lanes, sizeof(struct chunk_lane *));
	c->all = calloc(c->count, sizeof(*c->all));
	c->memory = mmap(NULL, c->size, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (c->memory == MAP_FAILED)
		c->memory = NULL;
	if (!c->lanes || !c->all || !c->memory) {
		chunks_free(c);
		return -ENOMEM;
	}
	link_unused(c);
	*out = c;
	return 0;
}

struct chunk_lane *chunks_add(struct chunks *c, const struct chunk_lane *l)
{
	struct chunk_lane *made = calloc(1, sizeof(*made));

	if (!made)
		return NULL;
	made->name = l->name;
	made->device = l->device;
	made->cpu = l->cpu;
	pthread_mutex_lock(&c->lock);
	if (c->lane_count < c->lanes_max) {
		made->number = c->lane_count;
		c->lanes[c->lane_count++] = made;
	} else {
		free(made);
		made = NULL;
	}
	pthread_mutex_unlock(&c->lock);
	return made;
}

void chunks_free(struct chunks *c)
{
	if (!c)
		return;
	for (unsigned int i = 0; i < c->lane_count; i++)
		free(c->lanes[i]);
	if (c->memory)
		munmap(c->memory, c->size);
	pthread_mutex_destroy(&c->lock);
	free(c->lanes);
	free(c->all);
	free(c);
}

/* --- which chunk goes; all with the lock held ----------------------------- */

static bool is_waited_for(const struct chunk_window *w,
			  const struct chunk_lane *l, const struct chunk *k)
{
	if (k->after > w->to || atomic_load(&k->last) < w->from)
		return false;
	return l->number > w->lane ||
	       (l->number == w->lane && k->serial >= w->serial);
}

static bool is_needed(const struct chunks *c, const struct chunk_lane *l,
		      const struct chunk *k)
{
	for (const struct chunk_window *w = c->windows; w; w = w->next)
		if (is_waited_for(w, l, k))
			return true;
	return false;
}

struct found {
	struct chunk_lane *lane;
	struct chunk *chunk;	/* NULL: none */
};

static uint64_t last_of(const struct chunk *k)
{
	return atomic_load_explicit(&k->last, memory_order_relaxed);
}

/* Finds the first chunk of a lane that may go, if it is older than *found. */
static void look_in(const struct chunks *c, struct chunk_lane *l, bool needed,
		    struct found *f)
{
	struct chunk *k = l->oldest;

	while (k && (!k->full || k->pins ||
		     (!needed && is_needed(c, l, k))))
		k = k->newer;
	if (k && (!f->chunk || last_of(k) < last_of(f->chunk)))
		*f = (struct found){ l, k };
}

static struct found find(const struct chunks *c, bool needed)
{
	struct found f = { NULL, NULL };

	for (unsigned int i = 0; i < c->lane_count; i++)
		look_in(c, c->lanes[i], needed, &f);
	return f;
}

/* Whether windows need more than half of the pool. */
static bool too_many_needed(const struct chunks *c)
{
	unsigned int count = 0;

	if (!c->windows)
		return false;
	for (unsigned int i = 0; i < c->lane_count; i++)
		for (struct chunk *k = c->lanes[i]->oldest; k; k = k->newer)
			count += is_needed(c, c->lanes[i], k);
	return count > c->count / 2;
}

/* Windows with it are complete only after it. */
static void tell_windows(struct chunks *c, const struct chunk_lane *l,
			 const struct chunk *k)
{
	uint64_t behind = last_of(k) + 1;

	for (struct chunk_window *w = c->windows; w; w = w->next)
		if (is_waited_for(w, l, k) && behind > w->whole)
			w->whole = behind;
}

static void take_out(struct chunk_lane *l, struct chunk *k)
{
	*(k->older ? &k->older->newer : &l->oldest) = k->newer;
	*(k->newer ? &k->newer->older : &l->newest) = k->older;
}

static void recycle(struct chunks *c, struct chunk *k)
{
	k->newer = c->unused;
	c->unused = k;
}

static void drop(struct chunks *c, struct chunk_lane *l, struct chunk *k)
{
	tell_windows(c, l, k);
	if (last_of(k) > atomic_load(&c->gone))
		atomic_store(&c->gone, last_of(k));
	take_out(l, k);
	recycle(c, k);
}

static struct chunk *take(struct chunks *c)
{
	struct chunk *k;

	if (!c->unused) {
		struct found f = find(c, too_many_needed(c));

		if (!f.chunk)
			f = find(c, true);
		if (f.chunk)
			drop(c, f.lane, f.chunk);
	}
	k = c->unused;
	if (k)
		c->unused = k->newer;
	return k;
}

/* --- writing -------------------------------------------------------------- */

size_t chunks_room(const struct chunks *c, const struct chunk_lane *l)
{
	return l->open ? c->each - atomic_load_explicit(&l->open->used,
						memory_order_relaxed) : 0;
}

void chunks_put(struct chunk_lane *l, const void *records, size_t len,
		uint64_t newest)
{
	struct chunk *k = l->open;
	unsigned int used = atomic_load_explicit(&k->used,
						 memory_order_relaxed);

	memcpy(k->bytes + used, records, len);
	if (newest > l->time)
		l->time = newest;
	atomic_store_explicit(&k->last, l->time, memory_order_relaxed);
	atomic_store_explicit(&k->used, used + (unsigned int)len,
			      memory_order_release);
}

void chunks_close(struct chunks *c, struct chunk_lane *l)
{
	if (!l->open)
		return;
	pthread_mutex_lock(&c->lock);
	l->open->full = true;
	pthread_mutex_unlock(&c->lock);
	l->open = NULL;
}

/* Inserts k before newer; NULL: at the end. */
static void put_in(struct chunk_lane *l, struct chunk *k, struct chunk *newer)
{
	k->older = newer ? newer->older : l->newest;
	k->newer = newer;
	*(k->older ? &k->older->newer : &l->oldest) = k;
	*(newer ? &newer->older : &l->newest) = k;
}

static void append(struct chunk_lane *l, struct chunk *k)
{
	atomic_store(&k->used, 0);
	atomic_store(&k->last, l->time);
	k->after = l->time;
	k->serial = k->first = ++l->serial;
	k->full = k->packed = k->stays = false;
	k->pins = 0;
	put_in(l, k, NULL);
}

bool chunks_open(struct chunks *c, struct chunk_lane *l)
{
	struct chunk *k;

	pthread_mutex_lock(&c->lock);
	if (l->open)
		l->open->full = true;
	k = take(c);
	if (k)
		append(l, k);
	pthread_mutex_unlock(&c->lock);
	l->open = k;
	return k;
}

void chunks_expire(struct chunks *c, struct chunk_lane *l, uint64_t time)
{
	struct chunk *k, *next;

	if (l->open && last_of(l->open) < time)
		chunks_close(c, l);
	pthread_mutex_lock(&c->lock);
	for (k = l->oldest; k && last_of(k) < time; k = next) {
		next = k->newer;
		if (k->full && !k->pins && !is_needed(c, l, k))
			drop(c, l, k);
	}
	pthread_mutex_unlock(&c->lock);
}

/* --- packing -------------------------------------------------------------- */

/* Older chunks have all been packed, or tried. */
struct chunk *chunks_to_pack(struct chunks *c, struct chunk_lane *l)
{
	struct chunk *k, *found = NULL;

	pthread_mutex_lock(&c->lock);
	for (k = l->newest; k && !k->packed && !k->stays; k = k->older)
		found = k;
	if (found && (!found->full || found->pins ||
		      found->serial >= l->passed))
		found = NULL;
	if (found)
		found->pins++;
	pthread_mutex_unlock(&c->lock);
	return found;
}

/* A new chunk for pieces, before k; NULL: all chunks are needed. */
static struct chunk *open_packed(struct chunks *c, struct chunk_lane *l,
				 struct chunk *k)
{
	struct chunk *to = take(c);

	if (!to)
		return NULL;
	atomic_store(&to->used, 0);
	to->after = k->after;
	to->first = k->first;
	to->full = to->packed = true;
	to->stays = false;
	to->pins = 0;
	put_in(l, to, k);
	return to;
}

static void add_piece(struct chunk *to, const struct chunk *k,
		      const void *piece, size_t len)
{
	unsigned int used = atomic_load(&to->used);

	memcpy(to->bytes + used, piece, len);
	atomic_store(&to->used, used + (unsigned int)len);
	atomic_store(&to->last, last_of(k));
	to->serial = k->serial;
}

static void replace(struct chunks *c, struct chunk_lane *l, struct chunk *k,
		    const void *piece, size_t len)
{
	struct chunk *to = k->older;

	if (!to || !to->packed || to->pins ||
	    c->each - atomic_load(&to->used) < len)
		to = open_packed(c, l, k);
	if (!to)
		return;
	add_piece(to, k, piece, len);
	take_out(l, k);
	recycle(c, k);
}

/* Keeps k for now if it is being read again. */
void chunks_packed(struct chunks *c, struct chunk_lane *l, struct chunk *k,
		   const void *piece, size_t len)
{
	pthread_mutex_lock(&c->lock);
	k->stays = !len;
	if (len && k->pins == 1)
		replace(c, l, k, piece, len);
	k->pins--;
	pthread_mutex_unlock(&c->lock);
}

/* --- what is there -------------------------------------------------------- */

uint64_t chunks_drained(const struct chunks *c)
{
	uint64_t least = UINT64_MAX;

	for (unsigned int i = 0; i < c->lane_count; i++) {
		uint64_t its = atomic_load(&c->lanes[i]->drained);

		least = its < least ? its : least;
	}
	return least;
}

void chunks_keep(struct chunks *c, struct chunk_window *w)
{
	pthread_mutex_lock(&c->lock);
	if (w->from <= atomic_load(&c->gone))
		w->from = atomic_load(&c->gone) + 1;
	w->lane = 0;
	w->serial = 0;
	w->whole = 0;
	w->next = c->windows;
	c->windows = w;
	pthread_mutex_unlock(&c->lock);
}

void chunks_drop(struct chunks *c, struct chunk_window *w)
{
	struct chunk_window **at = &c->windows;

	pthread_mutex_lock(&c->lock);
	while (*at && *at != w)
		at = &(*at)->next;
	if (*at)
		*at = w->next;
	pthread_mutex_unlock(&c->lock);
}

uint64_t chunks_wrote(struct chunks *c, struct chunk_window *w,
		      unsigned int lane, uint64_t serial)
{
	uint64_t whole;

	pthread_mutex_lock(&c->lock);
	w->lane = lane;
	w->serial = serial;
	whole = w->whole;
	pthread_mutex_unlock(&c->lock);
	return whole;
}
