/* SPDX-License-Identifier: GPL-2.0-only */
/* Follows requests and names processes; see follow.h. */
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/hint.h"
#include "base/msg.h"
#include "emit/line.h"
#include "record/record.h"
#include "run/device.h"
#include "stats.h"
#include "tools/blkparse/follow.h"
#include "tools/blkparse/inflight.h"
#include "tools/blkparse/options.h"

/* --- track ---------------------------------------------------------------- */

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
 * The bio queued here, or a request, has become part of the request before it,
 * but not an issued one, which has the same sector.
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
 * The request after this bio now starts where the bio does.  If the bio was
 * queued, its own request is there, and is used for both from now on.
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

/* --- the order of steps -------------------------------------------------- */

/*
 * Following and counting both name a process without a name "unknown"; counts
 * by name (-h) and the line show which comes first.  1.3.0: the order of an
 * action's steps.
 */
struct steps {
	uint8_t always, with_t;
	bool named_last;	/* with -s: FOLLOW_NAME_LAST, not _NAME */
};

/* [1]: of packet commands, which are never followed */
static const struct steps steps[2][FOLLOW_ACTIONS] = {
	{
		[BLK_TA_QUEUE] = { .with_t = FOLLOW_FIRST },
		[BLK_TA_BACKMERGE] = { .with_t = FOLLOW_REQUEST },
		[BLK_TA_FRONTMERGE] = { .with_t = FOLLOW_REQUEST },
		[BLK_TA_GETRQ] = { .with_t = FOLLOW_REQUEST },
		[BLK_TA_INSERT] = { .with_t = FOLLOW_REQUEST },
		[BLK_TA_ISSUE] = { .with_t = FOLLOW_REQUEST },
		[BLK_TA_COMPLETE] = { .with_t = FOLLOW_REQUEST },
		[BLK_TA_SPLIT] = { .always = FOLLOW_REQUEST | FOLLOW_SPLIT },
	},
	{
		[BLK_TA_QUEUE] = { .named_last = true },
		[BLK_TA_COMPLETE] = { .named_last = true },
	},
};

static uint8_t due_for(const struct options *o, const struct steps *s)
{
	uint8_t due = s->always;

	if (o->track)
		due |= s->with_t;
	if (o->sort)
		due |= s->named_last ? FOLLOW_NAME_LAST : FOLLOW_NAME;
	return due;
}

int follow_init(struct follow *f, const struct options *o,
		struct names *names, struct line *line, struct stats *stats)
{
	*f = (struct follow){ .o = o, .names = names, .line = line,
			      .stats = stats };
	for (int pc = 0; pc < 2; pc++)
		for (int nr = 0; nr < FOLLOW_ACTIONS; nr++)
			f->due[pc][nr] = due_for(o, &steps[pc][nr]);
	f->track = track_new();
	return f->track ? 0 : -ENOMEM;
}

void follow_free(struct follow *f)
{
	track_free(f->track);
}

uint64_t follow_left_out(const struct follow *f)
{
	return track_left_out(f->track);
}

/* --- names --------------------------------------------------------------- */

void follow_name(struct follow *f, const struct event *ev, const char *name,
		 size_t len)
{
	if (names_learn(f->names, ev->origin, ev->pid, name, len) > 0)
		line_forget_name(f->line, ev->origin, ev->pid);
}

/* 1.3.0: names a process without a name "unknown" from now on. */
static void name_unknown(struct follow *f, const struct event *ev)
{
	follow_name(f, ev, "unknown", strlen("unknown"));
}

static void name_newcomer(struct follow *f, const struct event *ev)
{
	if (!f->stats->newcomer)
		return;
	name_unknown(f, ev);
	f->stats->newcomer = false;
}

/* --- requests ------------------------------------------------------------ */

static COLD void report(const struct event *ev, const struct tracked *t)
{
	static const char *const what[BLK_TA_COUNT] = {
		[BLK_TA_ISSUE] = "issue",
		[BLK_TA_COMPLETE] = "complete",
		[BLK_TA_FRONTMERGE] = "merge",
	};
	uint32_t nr = event_number(ev), n = ev->bytes >> 9;
	unsigned int major = BLK_MAJOR(ev->device);
	unsigned int minor = BLK_MINOR(ev->device);
	unsigned long long sector = ev->sector;

	if (t->missing)
		msg_warn("%s not found for (%u,%u): %llu", what[nr], major,
			 minor, nr == BLK_TA_FRONTMERGE ? sector + n : sector);
	if (t->alias)
		msg_warn("sector alias (%llu) on device %u,%u", sector, major,
			 minor);
	if (t->twice)
		msg_warn("(%u,%u) request %llu + %u: confused about %s time",
			 major, minor, sector, ev->bytes, t->twice);
}

static void keep_longest(struct waits *w, const struct tracked *t, int dir)
{
	uint64_t *longest[] = {
		[WAIT_ALLOCATION] = &w->allocation[dir],
		[WAIT_DISPATCH] = &w->dispatch[dir],
		[WAIT_COMPLETION] = &w->completion[dir],
	};

	if (t->elapsed > *longest[t->wait])
		*longest[t->wait] = t->elapsed;
}

/* Returns the latency to show, or LINE_NO_LATENCY. */
static uint64_t follow_request(struct follow *f, const struct event *ev)
{
	struct process_stats *p = NULL;
	struct tracked t;

	track_event(f->track, ev, &t);
	if (UNLIKELY(f->o->verbose))
		report(ev, &t);
	if (t.created)
		name_unknown(f, ev);
	if (!t.timed)
		return LINE_NO_LATENCY;
	if (f->stats->per_process)
		p = stats_process(f->stats, ev->origin, t.pid);
	if (p)
		keep_longest(&p->waits, &t,
			     event_is_write(ev) ? STATS_WRITE : STATS_READ);
	return t.elapsed;
}

/* --- an event's way ------------------------------------------------------ */

APART void follow_before_count(struct follow *f, struct event *ev,
			       unsigned int due)
{
	if (due & FOLLOW_WIDEN)
		track_widen(f->track, ev);
	if (due & FOLLOW_FIRST)
		follow_request(f, ev);
	if (due & FOLLOW_SPLIT)
		f->due[0][BLK_TA_COMPLETE] |= FOLLOW_WIDEN;
}

APART uint64_t follow_after_count(struct follow *f, const struct event *ev,
				  unsigned int due)
{
	if (due & FOLLOW_NAME)
		name_newcomer(f, ev);
	return due & FOLLOW_REQUEST ? follow_request(f, ev) : LINE_NO_LATENCY;
}

void follow_after_line(struct follow *f, const struct event *ev)
{
	name_newcomer(f, ev);
}
