/* SPDX-License-Identifier: GPL-2.0-only */
/* Following requests; see track.h. */
#include <stdlib.h>

#include "base/hash.h"
#include "record/record.h"
#include "run/device.h"
#include "tools/blkparse/inflight.h"
#include "tools/blkparse/track.h"

struct track {
	struct inflight requests;
};

struct track *track_new(void)
{
	return calloc(1, sizeof(struct track));
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

static void on_queue(struct inflight *t, struct inflight_map *m,
		     const struct event *ev, struct tracked *res)
{
	struct request *r = inflight_find_or_begin(t, m, ev, &res->created);

	if (r)
		r->dispatched = ev->time;
}

static void on_getrq(struct inflight *t, struct inflight_map *m,
		     const struct event *ev, struct tracked *res)
{
	struct request *r = inflight_find_queued(t, m, ev, &res->created);

	if (!r)
		return;
	if (r->allocated != UNSET)
		res->twice = "allocation";
	r->allocated = ev->time;
}

static void on_insert(struct inflight *t, struct inflight_map *m,
		      const struct event *ev, struct tracked *res)
{
	struct request *r = inflight_find_queued(t, m, ev, &res->created);

	if (!r)
		return;
	if (r->queued != UNSET)
		res->twice = "queue";
	r->queued = ev->time;
	elapse(res, r, WAIT_ALLOCATION, r->allocated, ev->time);
}

static void on_issue(struct inflight *t, struct inflight_map *m,
		     const struct event *ev, struct tracked *res)
{
	struct request *r;

	if (!(ev->action & BLK_TC_ACT(BLK_TC_FS)))
		return;
	r = inflight_find(t, m, ev->sector);
	if (!r) {
		res->missing = true;
		return;
	}
	inflight_renew(t, m, r);
	if (r->issued)
		res->twice = "dispatch";
	r->issued = true;
	r->dispatched = ev->time;
	elapse(res, r, WAIT_DISPATCH, r->queued, ev->time);
}

static void on_complete(struct inflight *t, struct inflight_map *m,
			const struct event *ev, struct tracked *res)
{
	struct request *r = inflight_find(t, m, ev->sector);

	if (r) {
		elapse(res, r, WAIT_COMPLETION, r->dispatched, ev->time);
		inflight_end(t, m, ev, r);
	} else {
		res->missing = true;
	}
	inflight_end_merged(t, m, ev);
}

/*
 * The bio that was queued here, or a request of several, has become part of
 * the request before it.  An issued one has not: it has the same sector.
 */
static void on_backmerge(struct inflight *t, struct inflight_map *m,
			 const struct event *ev, struct tracked *res)
{
	struct request *r = inflight_find(t, m, ev->sector);

	(void)res;
	if (r && !r->issued && !r->parts && event_end(ev) > ev->sector &&
	    event_end(ev) != OVER)
		inflight_merge(t, m, ev, r);
}

/*
 * What begins behind this bio now begins where the bio does.  If the bio was
 * queued, that is where its own request is, which stands for both from now on.
 */
static void on_frontmerge(struct inflight *t, struct inflight_map *m,
			  const struct event *ev, struct tracked *res)
{
	struct request *r = inflight_find(t, m, event_end(ev));

	if (!r) {
		res->missing = true;
		return;
	}
	res->alias = !inflight_move(t, m, r, event_end(ev), ev->sector);
}

static void on_split(struct inflight *t, struct inflight_map *m,
		     const struct event *ev, struct tracked *res)
{
	struct request *r = inflight_find_or_begin(t, m, ev, &res->created);

	if (!r)
		return;
	if (inflight_find(t, m, event_end(ev)))
		res->alias = true;
	else
		inflight_add_part(t, m, r, event_end(ev));
}

typedef void on_action(struct inflight *, struct inflight_map *,
		       const struct event *, struct tracked *);

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
	struct inflight_map *m;

	*r = (struct tracked){ .pid = ev->pid };
	if (nr >= BLK_TA_COUNT || !on_actions[nr] || event_is_pc(ev) ||
	    event_is_note(ev))
		return;
	m = inflight_map(&t->requests, ev);
	if (m)
		on_actions[nr](&t->requests, m, ev, r);
	else
		t->requests.left_out++;
}

void track_widen(const struct track *t, struct event *ev)
{
	uint32_t id = ev->lane->device->id;
	const struct request *r = NULL;

	if (event_number(ev) == BLK_TA_COMPLETE &&
	    id < t->requests.device_count &&
	    inflight_may_be_part(&t->requests, ev->sector))
		r = hash_get(&t->requests.devices[id].by_sector, ev->sector);
	if (!r)
		return;
	ev->bytes += (uint32_t)((ev->sector - r->sector) << 9);
	ev->sector = r->sector;
}

uint64_t track_left_out(const struct track *t)
{
	return t->requests.left_out;
}

void track_free(struct track *t)
{
	if (!t)
		return;
	inflight_free(&t->requests);
	free(t);
}
