/* SPDX-License-Identifier: GPL-2.0-only */
/* The requests that blkparse follows; see inflight.h. */
#include <stddef.h>
#include <stdlib.h>

#include "base/hint.h"
#include "run/device.h"
#include "tools/blkparse/inflight.h"

enum {
	CHUNK = 512,
	OVER_MIN = INFLIGHT_MAX / 16,	/* fewer are not worth a search */
};

struct chunk {
	struct chunk *next;
	struct request requests[CHUNK];
};

/* --- the pool of requests ------------------------------------------------ */

static bool grow_pool(struct inflight *t)
{
	struct chunk *c = calloc(1, sizeof(*c));

	if (!c)
		return false;
	c->next = t->chunks;
	t->chunks = c;
	for (int i = 0; i < CHUNK; i++) {
		c->requests[i].free = t->unused;
		t->unused = &c->requests[i];
	}
	return true;
}

/* The pool must not be empty. */
static struct request *request_get(struct inflight *t, const struct event *ev)
{
	struct request *r = t->unused;

	t->unused = r->free;
	*r = (struct request){
		.allocated = UNSET, .queued = UNSET, .dispatched = UNSET,
		.sector = ev->sector, .pid = ev->pid,
		.device = ev->lane->device->id,
	};
	t->count++;
	return r;
}

static void free_parts(struct inflight *t, struct request *r)
{
	while (r->parts) {
		struct part *p = r->parts;

		r->parts = p->next;
		free(p);
		t->count--;
	}
}

static void request_put(struct inflight *t, struct request *r)
{
	free_parts(t, r);
	t->over -= r->merged == OVER;
	r->merged = NOT_MERGED;
	r->free = t->unused;
	t->unused = r;
	t->count--;
}

/* --- the maps ------------------------------------------------------------ */

static COLD struct inflight_map *grow_devices(struct inflight *t, uint32_t id)
{
	uint32_t count = 2 * id + 4;
	struct inflight_map *devices = realloc(t->devices, count * sizeof(*devices));

	if (!devices)
		return NULL;
	for (uint32_t i = t->device_count; i < count; i++)
		devices[i] = (struct inflight_map){ .merged = { 0 } };
	t->devices = devices;
	t->device_count = count;
	return &devices[id];
}

struct inflight_map *inflight_map(struct inflight *t, const struct event *ev)
{
	uint32_t id = ev->lane->device->id;

	return LIKELY(id < t->device_count) ? &t->devices[id] :
					      grow_devices(t, id);
}

/* Whether r is in the map of merged ones. */
static inline bool is_merged(const struct request *r)
{
	return r->merged != NOT_MERGED && r->merged != OVER;
}

/* Removes a sector from the map only if it is this request's. */
static void unmap(struct inflight_map *m, uint64_t sector,
		  const struct request *r)
{
	if (hash_get(&m->by_sector, sector) == r)
		hash_del(&m->by_sector, sector);
	else if (hash_get(&m->over, sector) == r)
		hash_del(&m->over, sector);
}

/* If r is in the map, then at its first sector. */
static void forget_places(struct inflight *t, struct inflight_map *m,
			  struct request *r)
{
	for (struct part *p = r->parts; p; p = p->next)
		unmap(m, p->sector, r);
	if (is_merged(r))
		hash_del(&m->merged, r->merged);
	request_put(t, r);
}

static void forget(struct inflight *t, struct inflight_map *m,
		   struct request *r)
{
	unmap(m, r->sector, r);
	forget_places(t, m, r);
}

/* --- when there are too many --------------------------------------------- */

/*
 * A bio merged into another request leaves its own, which has no completion.
 * 1.3.0: it stays, and is found when the sector is used again; here only until
 * there are too many.
 */
static COLD void forget_over(struct inflight *t)
{
	for (struct chunk *c = t->chunks; c; c = c->next)
		for (int i = 0; i < CHUNK; i++) {
			struct request *r = &c->requests[i];

			if (r->merged == OVER)
				forget(t, &t->devices[r->device], r);
		}
}

/* Whether one more can be followed; looks for those that are over only if they
 * are many, as that takes time. */
static COLD bool make_place(struct inflight *t)
{
	if (t->over < OVER_MIN)
		return false;
	forget_over(t);
	return true;
}

static inline bool has_place(struct inflight *t)
{
	return LIKELY(t->count < INFLIGHT_MAX) || make_place(t);
}

/* --- finding ------------------------------------------------------------- */

/* Moves one that is over back to the others. */
static struct request *take_back(struct inflight *t, struct inflight_map *m,
				 struct request *r)
{
	hash_del(&m->over, r->sector);
	t->over--;
	r->merged = NOT_MERGED;
	return r;
}

/* Without memory, it stays over. */
static void bring_back(struct inflight *t, struct inflight_map *m,
		       struct request *r)
{
	void **place = hash_place(&m->by_sector, r->sector);

	if (place)
		*place = take_back(t, m, r);
}

static COLD void renew(struct inflight *t, struct inflight_map *m,
		       struct request *r)
{
	if (r->merged == OVER) {
		bring_back(t, m, r);
		return;
	}
	hash_del(&m->merged, r->merged);
	r->merged = NOT_MERGED;
}

struct request *inflight_renew(struct inflight *t, struct inflight_map *m,
			       struct request *r)
{
	if (UNLIKELY(r->merged != NOT_MERGED))
		renew(t, m, r);
	return r;
}

static struct request *left_out(struct inflight *t)
{
	t->left_out++;
	return NULL;
}

/* Whether the pool has a request, or room for one. */
static inline bool can_begin(struct inflight *t)
{
	return has_place(t) && (t->unused || grow_pool(t));
}

struct request *inflight_find_or_begin(struct inflight *t,
				       struct inflight_map *m,
				       const struct event *ev, bool *created)
{
	struct request *r;
	void **place;

	if (!can_begin(t)) {
		r = inflight_find(t, m, ev->sector);
		return r ? inflight_renew(t, m, r) : left_out(t);
	}
	place = hash_place(&m->by_sector, ev->sector);
	if (!place)
		return left_out(t);
	if (*place)
		return inflight_renew(t, m, *place);
	r = inflight_find_over(t, m, ev->sector);
	if (r)
		return *place = take_back(t, m, r);
	*created = true;
	return *place = request_get(t, ev);
}

struct request *inflight_find_queued(struct inflight *t,
				     struct inflight_map *m,
				     const struct event *ev, bool *created)
{
	struct request *r = hash_get(&m->by_sector, ev->sector);

	return LIKELY(r) ? inflight_renew(t, m, r) :
			   inflight_find_or_begin(t, m, ev, created);
}

void inflight_end(struct inflight *t, struct inflight_map *m,
		  const struct event *ev, struct request *r)
{
	if (ev->sector != r->sector || r->merged == OVER) {
		forget(t, m, r);
		return;
	}
	hash_del(&m->by_sector, ev->sector);	/* it was found there */
	forget_places(t, m, r);
}

/* --- merging and splitting ----------------------------------------------- */

/* r has been merged into another that has completed. */
static void set_over(struct inflight *t, struct inflight_map *m,
		     struct request *r)
{
	if (hash_put(&m->over, r->sector, r))
		return;
	hash_del(&m->by_sector, r->sector);
	r->merged = OVER;
	bloom_add(t->over_at, OVER_BITS, r->sector);
	t->over++;
}

void inflight_end_merged(struct inflight *t, struct inflight_map *m,
			 const struct event *ev)
{
	uint64_t at = event_end(ev);
	struct request *r;

	while (at > ev->sector && (r = hash_get(&m->merged, at))) {
		hash_del(&m->merged, at);
		at = r->sector;
		r->merged = NOT_MERGED;
		if (at >= ev->sector)
			set_over(t, m, r);
	}
}

void inflight_merge(struct inflight *t, struct inflight_map *m,
		    const struct event *ev, struct request *r)
{
	void **place;

	if (inflight_renew(t, m, r)->merged == OVER)
		return;
	inflight_end_merged(t, m, ev);
	place = hash_place(&m->merged, event_end(ev));
	if (!place)
		return;
	*place = r;
	r->merged = event_end(ev);
}

/* The member of r that holds its start at sector. */
static uint64_t *place_at(struct request *r, uint64_t sector)
{
	for (struct part *p = r->parts; p; p = p->next)
		if (p->sector == sector)
			return &p->sector;
	return &r->sector;
}

/* Whether the map still has a request, at any of its sectors. */
static bool is_mapped(const struct inflight_map *m, const struct request *r)
{
	if (hash_get(&m->by_sector, r->sector) == r)
		return true;
	for (struct part *p = r->parts; p; p = p->next)
		if (hash_get(&m->by_sector, p->sector) == r)
			return true;
	return false;
}

bool inflight_move(struct inflight *t, struct inflight_map *m,
		   struct request *r, uint64_t from, uint64_t to)
{
	if (inflight_renew(t, m, r)->merged == OVER)
		return true;
	hash_del(&m->by_sector, from);
	*place_at(r, from) = to;
	bloom_add(t->parts, PARTS_BITS, to);
	if (!inflight_find(t, m, to)) {
		hash_put(&m->by_sector, to, r);
		return true;
	}
	if (!is_mapped(m, r))
		forget(t, m, r);
	return false;
}

void inflight_add_part(struct inflight *t, struct inflight_map *m,
		       struct request *r, uint64_t sector)
{
	struct part *p = has_place(t) ? malloc(sizeof(*p)) : NULL;

	if (!p || hash_put(&m->by_sector, sector, r)) {
		free(p);
		left_out(t);
		return;
	}
	*p = (struct part){ .sector = sector, .next = r->parts };
	bloom_add(t->parts, PARTS_BITS, sector);
	r->parts = p;
	t->count++;
}

/* --- the end -------------------------------------------------------------- */

void inflight_free(struct inflight *t)
{
	for (struct chunk *c = t->chunks; c; c = t->chunks) {
		for (int i = 0; i < CHUNK; i++)
			free_parts(t, &c->requests[i]);
		t->chunks = c->next;
		free(c);
	}
	for (uint32_t i = 0; i < t->device_count; i++) {
		hash_free(&t->devices[i].by_sector);
		hash_free(&t->devices[i].over);
		hash_free(&t->devices[i].merged);
	}
	free(t->devices);
}
