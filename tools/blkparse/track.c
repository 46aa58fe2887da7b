/* Following requests; see track.h. */
#include <stdlib.h>

#include "base/hash.h"
#include "tools/blkparse/track.h"
#include "trace/device.h"
#include "trace/record.h"

enum { CHUNK = 512 };

#define UNSET UINT64_MAX	/* this has not happened yet */

struct request {
	uint64_t allocated, queued, dispatched;	/* ns, or UNSET */
	uint64_t sector;	/* where its first part begins */
	struct part *parts;	/* the others, latest first */
	struct request *free;	/* next in the free list */
	uint32_t pid;		/* of the event that began it */
	bool issued;		/* dispatched comes from an issue */
};

/* one more place where a split request is known */
struct part {
	uint64_t sector;
	struct part *next;
};

struct chunk {
	struct chunk *next;
	struct request requests[CHUNK];
};

struct track {
	bool timing;
	struct hash *devices;	/* by device id: sector to request */
	uint32_t device_count;
	struct request *unused;
	struct chunk *chunks;
	uint32_t count;		/* requests and parts in use */
};

struct track *track_new(bool timing)
{
	struct track *t = calloc(1, sizeof(*t));

	if (t)
		t->timing = timing;
	return t;
}

/* --- the pool of requests ------------------------------------------------ */

static bool grow_pool(struct track *t)
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

/* from a pool that is known not to be empty */
static struct request *request_get(struct track *t)
{
	struct request *r = t->unused;

	t->unused = r->free;
	*r = (struct request){ .allocated = UNSET, .queued = UNSET,
			       .dispatched = UNSET };
	t->count++;
	return r;
}

static void free_parts(struct track *t, struct request *r)
{
	while (r->parts) {
		struct part *p = r->parts;

		r->parts = p->next;
		free(p);
		t->count--;
	}
}

static void request_put(struct track *t, struct request *r)
{
	free_parts(t, r);
	r->free = t->unused;
	t->unused = r;
	t->count--;
}

/* --- the maps ------------------------------------------------------------ */

/* The map of the event's device, or NULL without memory. */
static struct hash *map_of(struct track *t, const struct event *ev)
{
	uint32_t id = ev->lane->device->id, count;
	struct hash *devices;

	if (id < t->device_count)
		return &t->devices[id];
	count = 2 * id + 4;
	devices = realloc(t->devices, count * sizeof(*devices));
	if (!devices)
		return NULL;
	for (uint32_t i = t->device_count; i < count; i++)
		devices[i] = (struct hash){ 0 };
	t->devices = devices;
	t->device_count = count;
	return &devices[id];
}

static struct request *find_or_begin(struct track *t, const struct event *ev,
				     struct tracked *res)
{
	struct hash *map = map_of(t, ev);
	void **place;
	struct request *r;

	if (!map)
		return NULL;
	if (t->count >= TRACK_MAX || (!t->unused && !grow_pool(t)))
		return hash_get(map, ev->sector);
	place = hash_place(map, ev->sector);
	if (!place || *place)
		return place ? *place : NULL;
	*place = r = request_get(t);
	r->sector = ev->sector;
	r->pid = ev->pid;
	res->created = true;
	return r;
}

static struct request *find(const struct track *t, const struct event *ev,
			    uint64_t sector)
{
	uint32_t id = ev->lane->device->id;

	return id < t->device_count ? hash_get(&t->devices[id], sector) : NULL;
}

/* Takes a place out of the map only if it is this request's. */
static void unmap(struct hash *map, uint64_t sector, const struct request *r)
{
	if (hash_get(map, sector) == r)
		hash_del(map, sector);
}

static void end(struct track *t, const struct event *ev, struct request *r)
{
	struct hash *map = map_of(t, ev);

	if (ev->sector == r->sector)	/* it was found there */
		hash_del(map, r->sector);
	else
		unmap(map, r->sector, r);
	for (struct part *p = r->parts; p; p = p->next)
		unmap(map, p->sector, r);
	request_put(t, r);
}

/* --- what each action does ----------------------------------------------- */

static void elapse(struct tracked *res, const struct request *r,
		   enum track_wait wait, uint64_t since, uint64_t now)
{
	res->timed = since != UNSET;
	res->elapsed = now - since;
	res->wait = wait;
	res->pid = r->pid;
}

static void on_queue(struct track *t, const struct event *ev,
		     struct tracked *res)
{
	struct request *r = find_or_begin(t, ev, res);

	if (r)
		r->dispatched = ev->time;
}

static void on_getrq(struct track *t, const struct event *ev,
		     struct tracked *res)
{
	struct request *r = find_or_begin(t, ev, res);

	if (!r)
		return;
	if (r->allocated != UNSET)
		res->twice = "allocation";
	r->allocated = ev->time;
}

static void on_insert(struct track *t, const struct event *ev,
		      struct tracked *res)
{
	struct request *r = find_or_begin(t, ev, res);

	if (!r)
		return;
	if (r->queued != UNSET)
		res->twice = "queue";
	r->queued = ev->time;
	elapse(res, r, WAIT_ALLOCATION, r->allocated, ev->time);
}

static void on_issue(struct track *t, const struct event *ev,
		     struct tracked *res)
{
	struct request *r;

	if (!(ev->action & BLK_TC_ACT(BLK_TC_FS)))
		return;
	r = find(t, ev, ev->sector);
	if (!r) {
		res->missing = true;
		return;
	}
	if (r->issued)
		res->twice = "dispatch";
	r->issued = true;
	r->dispatched = ev->time;
	elapse(res, r, WAIT_DISPATCH, r->queued, ev->time);
}

static void on_complete(struct track *t, const struct event *ev,
			struct tracked *res)
{
	struct request *r = find(t, ev, ev->sector);

	if (!r) {
		res->missing = true;
		return;
	}
	elapse(res, r, WAIT_COMPLETION, r->dispatched, ev->time);
	end(t, ev, r);
}

/* Where the place is kept that the map has for this request at sector. */
static uint64_t *place_at(struct request *r, uint64_t sector)
{
	for (struct part *p = r->parts; p; p = p->next)
		if (p->sector == sector)
			return &p->sector;
	return &r->sector;
}

/* What begins behind this bio now begins where the bio does. */
static void on_frontmerge(struct track *t, const struct event *ev,
			  struct tracked *res)
{
	uint64_t sectors = ev->bytes >> 9, *place;
	struct request *r = find(t, ev, ev->sector + sectors);
	struct hash *map;

	if (!r) {
		res->missing = true;
		return;
	}
	map = map_of(t, ev);
	hash_del(map, ev->sector + sectors);
	place = place_at(r, ev->sector + sectors);
	*place = ev->sector;
	if (hash_get(map, *place))
		res->alias = true;
	else
		hash_put(map, *place, r);
}

static void on_split(struct track *t, const struct event *ev,
		     struct tracked *res)
{
	struct request *r = find_or_begin(t, ev, res);
	struct hash *map = map_of(t, ev);
	struct part *p;

	if (!r || t->count >= TRACK_MAX)
		return;
	if (hash_get(map, ev->sector + (ev->bytes >> 9))) {
		res->alias = true;
		return;
	}
	p = malloc(sizeof(*p));
	if (!p)
		return;
	p->sector = ev->sector + (ev->bytes >> 9);
	p->next = r->parts;
	if (hash_put(map, p->sector, r)) {
		free(p);
		return;
	}
	r->parts = p;
	t->count++;
}

typedef void on_action(struct track *, const struct event *,
		       struct tracked *);

static on_action *const on_actions[BLK_TA_COUNT] = {
	[BLK_TA_QUEUE] = on_queue,
	[BLK_TA_GETRQ] = on_getrq,
	[BLK_TA_INSERT] = on_insert,
	[BLK_TA_ISSUE] = on_issue,
	[BLK_TA_COMPLETE] = on_complete,
	[BLK_TA_FRONTMERGE] = on_frontmerge,
	[BLK_TA_SPLIT] = on_split,
};

void track_event(struct track *t, const struct event *ev, struct tracked *r)
{
	uint32_t nr = event_number(ev);

	*r = (struct tracked){ .pid = ev->pid };
	if (nr >= BLK_TA_COUNT || !on_actions[nr] || event_is_pc(ev) ||
	    event_is_note(ev))
		return;
	if (t->timing || nr == BLK_TA_SPLIT)
		on_actions[nr](t, ev, r);
}

void track_widen(const struct track *t, struct event *ev)
{
	const struct request *r = find(t, ev, ev->sector);

	if (!r)
		return;
	ev->bytes += (uint32_t)((ev->sector - r->sector) << 9);
	ev->sector = r->sector;
}

void track_free(struct track *t)
{
	if (!t)
		return;
	for (struct chunk *c = t->chunks; c; c = t->chunks) {
		for (int i = 0; i < CHUNK; i++)
			free_parts(t, &c->requests[i]);
		t->chunks = c->next;
		free(c);
	}
	for (uint32_t i = 0; i < t->device_count; i++)
		hash_free(&t->devices[i]);
	free(t->devices);
	free(t);
}
