/* Following requests; see track.h. */
#include <stdlib.h>

#include "base/hash.h"
#include "base/hint.h"
#include "tools/blkparse/track.h"
#include "trace/device.h"
#include "trace/record.h"

enum {
	CHUNK = 512,
	OVER_MIN = TRACK_MAX / 16,	/* fewer are not worth a search */
};

#define UNSET UINT64_MAX	/* this has not happened yet */
#define NOT_MERGED 0
#define OVER UINT64_MAX		/* merged into one that has completed */

struct request {
	uint64_t allocated, queued, dispatched;	/* ns, or UNSET */
	uint64_t sector;	/* where its first part begins */
	uint64_t merged;	/* its key in the map of merged ones, OVER, or
				 * NOT_MERGED */
	struct part *parts;	/* the others, latest first */
	struct request *free;	/* next in the free list */
	uint32_t pid;		/* of the event that began it */
	uint32_t device : 31;
	uint32_t issued : 1;	/* dispatched comes from an issue */
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

/* the requests of a device */
struct map {
	struct hash by_sector;
	struct hash merged;	/* back-merged ones by the sector behind them */
};

struct track {
	struct map *devices;	/* by device id */
	uint32_t device_count;
	struct request *unused;
	struct chunk *chunks;
	uint32_t count;		/* requests and parts in use */
	uint32_t over;		/* of these, requests that are over */
	uint64_t left_out;
};

struct track *track_new(void)
{
	return calloc(1, sizeof(struct track));
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
static struct request *request_get(struct track *t, const struct event *ev)
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
	t->over -= r->merged == OVER;
	r->merged = NOT_MERGED;
	r->free = t->unused;
	t->unused = r;
	t->count--;
}

/* --- the maps ------------------------------------------------------------ */

static COLD struct map *grow_devices(struct track *t, uint32_t id)
{
	uint32_t count = 2 * id + 4;
	struct map *devices = realloc(t->devices, count * sizeof(*devices));

	if (!devices)
		return NULL;
	for (uint32_t i = t->device_count; i < count; i++)
		devices[i] = (struct map){ .merged = { 0 } };
	t->devices = devices;
	t->device_count = count;
	return &devices[id];
}

/* The map of the event's device, or NULL without memory. */
static inline struct map *map_of(struct track *t, const struct event *ev)
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

/* Takes a place out of the map only if it is this request's. */
static void unmap(struct hash *by_sector, uint64_t sector,
		  const struct request *r)
{
	if (hash_get(by_sector, sector) == r)
		hash_del(by_sector, sector);
}

/* r is in the map at its first sector if it is there at all. */
static void forget_places(struct track *t, struct map *m, struct request *r)
{
	for (struct part *p = r->parts; p; p = p->next)
		unmap(&m->by_sector, p->sector, r);
	if (is_merged(r))
		hash_del(&m->merged, r->merged);
	request_put(t, r);
}

static void forget(struct track *t, struct map *m, struct request *r)
{
	unmap(&m->by_sector, r->sector, r);
	forget_places(t, m, r);
}

/* --- when there are too many --------------------------------------------- */

/*
 * A bio that is merged into another request leaves one of its own, which has
 * no completion.  1.3.0: it stays, and is found when the sector is used again;
 * so it does here until there are too many.
 */
static COLD void forget_over(struct track *t)
{
	for (struct chunk *c = t->chunks; c; c = c->next)
		for (int i = 0; i < CHUNK; i++) {
			struct request *r = &c->requests[i];

			if (r->merged == OVER)
				forget(t, &t->devices[r->device], r);
		}
}

/*
 * Whether one more can be followed.  To look for those that are over costs
 * time, so there must be many.
 */
static COLD bool make_place(struct track *t)
{
	if (t->over < OVER_MIN)
		return false;
	forget_over(t);
	return true;
}

static inline bool has_place(struct track *t)
{
	return LIKELY(t->count < TRACK_MAX) || make_place(t);
}

/* --- finding ------------------------------------------------------------- */

/* Its sector is used anew: it does not belong to what it was merged into. */
static COLD void renew(struct track *t, struct map *m, struct request *r)
{
	if (is_merged(r))
		hash_del(&m->merged, r->merged);
	t->over -= r->merged == OVER;
	r->merged = NOT_MERGED;
}

static inline struct request *in_use(struct track *t, struct map *m,
				     struct request *r)
{
	if (UNLIKELY(r->merged != NOT_MERGED))
		renew(t, m, r);
	return r;
}

static struct request *left_out(struct track *t)
{
	t->left_out++;
	return NULL;
}

/* Whether a request can be had from the pool. */
static inline bool can_begin(struct track *t)
{
	return has_place(t) && (t->unused || grow_pool(t));
}

static struct request *find_or_begin(struct track *t, struct map *m,
				     const struct event *ev,
				     struct tracked *res)
{
	struct request *r;
	void **place;

	if (!can_begin(t)) {
		r = hash_get(&m->by_sector, ev->sector);
		return r ? in_use(t, m, r) : left_out(t);
	}
	place = hash_place(&m->by_sector, ev->sector);
	if (!place)
		return left_out(t);
	if (*place)
		return in_use(t, m, *place);
	res->created = true;
	return *place = request_get(t, ev);
}

/* The same, and faster where the request is known, as its queueing came. */
static inline struct request *find_queued(struct track *t, struct map *m,
					  const struct event *ev,
					  struct tracked *res)
{
	struct request *r = hash_get(&m->by_sector, ev->sector);

	return LIKELY(r) ? in_use(t, m, r) : find_or_begin(t, m, ev, res);
}

/* The request that this event completes. */
static void end(struct track *t, struct map *m, const struct event *ev,
		struct request *r)
{
	if (ev->sector != r->sector) {
		forget(t, m, r);
		return;
	}
	hash_del(&m->by_sector, ev->sector);	/* it was found there */
	forget_places(t, m, r);
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

static void on_queue(struct track *t, struct map *m, const struct event *ev,
		struct tracked *res)
{
	struct request *r = find_or_begin(t, m, ev, res);

	if (r)
		r->dispatched = ev->time;
}

static void on_getrq(struct track *t, struct map *m, const struct event *ev,
		struct tracked *res)
{
	struct request *r = find_queued(t, m, ev, res);

	if (!r)
		return;
	if (r->allocated != UNSET)
		res->twice = "allocation";
	r->allocated = ev->time;
}

static void on_insert(struct track *t, struct map *m, const struct event *ev,
		struct tracked *res)
{
	struct request *r = find_queued(t, m, ev, res);

	if (!r)
		return;
	if (r->queued != UNSET)
		res->twice = "queue";
	r->queued = ev->time;
	elapse(res, r, WAIT_ALLOCATION, r->allocated, ev->time);
}

static void on_issue(struct track *t, struct map *m, const struct event *ev,
		struct tracked *res)
{
	struct request *r;

	if (!(ev->action & BLK_TC_ACT(BLK_TC_FS)))
		return;
	r = hash_get(&m->by_sector, ev->sector);
	if (!r) {
		res->missing = true;
		return;
	}
	in_use(t, m, r);
	if (r->issued)
		res->twice = "dispatch";
	r->issued = true;
	r->dispatched = ev->time;
	elapse(res, r, WAIT_DISPATCH, r->queued, ev->time);
}

/* The sector behind an event's last one. */
static uint64_t end_of(const struct event *ev)
{
	return ev->sector + (ev->bytes >> 9);
}

/* What has been merged behind a request that the event covers is over. */
static void end_merged(struct track *t, struct map *m, const struct event *ev)
{
	uint64_t at = end_of(ev);
	struct request *r;

	while (at > ev->sector && (r = hash_get(&m->merged, at))) {
		hash_del(&m->merged, at);
		at = r->sector;
		r->merged = at >= ev->sector ? OVER : NOT_MERGED;
		t->over += at >= ev->sector;
	}
}

static void on_complete(struct track *t, struct map *m, const struct event *ev,
		struct tracked *res)
{
	struct request *r = hash_get(&m->by_sector, ev->sector);

	if (r) {
		elapse(res, r, WAIT_COMPLETION, r->dispatched, ev->time);
		end(t, m, ev, r);
	} else {
		res->missing = true;
	}
	end_merged(t, m, ev);
}

/*
 * The bio that was queued here, or a request of several, has become part of
 * the request before it.  An issued one has not: it has the same sector.
 */
static void on_backmerge(struct track *t, struct map *m, const struct event *ev,
		struct tracked *res)
{
	struct request *r = hash_get(&m->by_sector, ev->sector);
	uint64_t end = end_of(ev);
	void **place;

	(void)res;
	if (!r || r->issued || r->parts || end <= ev->sector || end == OVER)
		return;
	in_use(t, m, r);
	end_merged(t, m, ev);
	place = hash_place(&m->merged, end);
	if (!place)
		return;
	*place = r;
	r->merged = end;
}

/* Where the place is kept that the map has for this request at sector. */
static uint64_t *place_at(struct request *r, uint64_t sector)
{
	for (struct part *p = r->parts; p; p = p->next)
		if (p->sector == sector)
			return &p->sector;
	return &r->sector;
}

/* Whether a request is still in the map by any of its places. */
static bool is_mapped(const struct map *m, const struct request *r)
{
	if (hash_get(&m->by_sector, r->sector) == r)
		return true;
	for (struct part *p = r->parts; p; p = p->next)
		if (hash_get(&m->by_sector, p->sector) == r)
			return true;
	return false;
}

/*
 * What begins behind this bio now begins where the bio does.  If the bio was
 * queued, that is where its own request is, which stands for both from now on.
 */
static void on_frontmerge(struct track *t, struct map *m, const struct event *ev,
		struct tracked *res)
{
	struct request *r = hash_get(&m->by_sector, end_of(ev));

	if (!r) {
		res->missing = true;
		return;
	}
	in_use(t, m, r);
	hash_del(&m->by_sector, end_of(ev));
	*place_at(r, end_of(ev)) = ev->sector;
	if (!hash_get(&m->by_sector, ev->sector)) {
		hash_put(&m->by_sector, ev->sector, r);
		return;
	}
	res->alias = true;
	if (!is_mapped(m, r))
		forget(t, m, r);
}

static void add_part(struct track *t, struct map *m, struct request *r,
		     uint64_t sector)
{
	struct part *p = has_place(t) ? malloc(sizeof(*p)) : NULL;

	if (!p || hash_put(&m->by_sector, sector, r)) {
		free(p);
		left_out(t);
		return;
	}
	*p = (struct part){ .sector = sector, .next = r->parts };
	r->parts = p;
	t->count++;
}

static void on_split(struct track *t, struct map *m, const struct event *ev,
		struct tracked *res)
{
	struct request *r = find_or_begin(t, m, ev, res);

	if (!r)
		return;
	if (hash_get(&m->by_sector, end_of(ev)))
		res->alias = true;
	else
		add_part(t, m, r, end_of(ev));
}

typedef void on_action(struct track *, struct map *, const struct event *,
		       struct tracked *);

static on_action *const on_actions[BLK_TA_COUNT] = {
	[BLK_TA_QUEUE] = on_queue,
	[BLK_TA_BACKMERGE] = on_backmerge,
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
	struct map *m;

	*r = (struct tracked){ .pid = ev->pid };
	if (nr >= BLK_TA_COUNT || !on_actions[nr] || event_is_pc(ev) ||
	    event_is_note(ev))
		return;
	m = map_of(t, ev);
	if (m)
		on_actions[nr](t, m, ev, r);
	else
		left_out(t);
}

void track_widen(const struct track *t, struct event *ev)
{
	uint32_t id = ev->lane->device->id;
	const struct request *r = NULL;

	if (event_number(ev) == BLK_TA_COMPLETE && id < t->device_count)
		r = hash_get(&t->devices[id].by_sector, ev->sector);
	if (!r)
		return;
	ev->bytes += (uint32_t)((ev->sector - r->sector) << 9);
	ev->sector = r->sector;
}

uint64_t track_left_out(const struct track *t)
{
	return t->left_out;
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
	for (uint32_t i = 0; i < t->device_count; i++) {
		hash_free(&t->devices[i].by_sector);
		hash_free(&t->devices[i].merged);
	}
	free(t->devices);
	free(t);
}
