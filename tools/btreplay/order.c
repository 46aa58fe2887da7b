/* SPDX-License-Identifier: GPL-2.0-only */
/* The order of flushes and changes; see order.h. */
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/msg.h"
#include "base/time.h"
#include "replay/bunch.h"
#include "replay/bunch_reader.h"
#include "tools/btreplay/job.h"
#include "tools/btreplay/kind.h"
#include "tools/btreplay/options.h"
#include "tools/btreplay/order.h"

/* --- order ---------------------------------------------------------------- */

enum { FIRST = 256 };		/* initial room for flushes and ends */

/* a flush, as added */
struct flush {
	uint64_t time;
	bool may_end;
};

/* count flushes had completed at this time; later, all flushes of that many
 * moments */
struct end {
	uint64_t time;
	uint32_t count;
	uint32_t moments;
};

struct moment {
	uint64_t time;
	uint32_t flushes;	/* at this time */
	uint32_t changes;	/* since the previous moment */
	/* not come back yet in this iteration */
	uint32_t flushes_left, changes_left;
};

/* held items, in order of release */
struct queue {
	struct order_item *first, *last;
};

struct order {
	order_release *release;
	struct flush *flushes;
	size_t flush_count, flush_room;
	struct end *ends;
	size_t end_count, end_room;
	struct moment *moments;	/* and one more, after the last flush */
	uint32_t moment_count;

	pthread_mutex_t lock;	/* of all below, and of the _left counts */
	uint32_t clear;		/* moments with no change left before them */
	uint32_t flushed;	/* moments with no flush left */
	struct queue held_flushes, held_changes;
	struct histogram held;
	uint64_t last;		/* when an item was released */
};

struct order *order_new(order_release *release)
{
	struct order *o = calloc(1, sizeof(*o));

	if (!o)
		return NULL;
	o->release = release;
	pthread_mutex_init(&o->lock, NULL);
	/* allocates all cells now, as measuring must not fail */
	if (!histogram_reserve(&o->held, 0, UINT64_MAX))
		return o;
	order_free(o);
	return NULL;
}

void order_free(struct order *o)
{
	if (!o)
		return;
	pthread_mutex_destroy(&o->lock);
	histogram_free(&o->held);
	free(o->flushes);
	free(o->ends);
	free(o->moments);
	free(o);
}

/* --- the first pass ------------------------------------------------------ */

void order_step(struct order_place *at, uint64_t time)
{
	uint64_t next = at->time < UINT64_MAX ? at->time + 1 : UINT64_MAX;

	if (at->begun && time < next)
		time = next;
	at->time = time;
	at->begun = true;
}

int order_add_flush(struct order *o, const struct order_place *at,
		    bool may_end)
{
	struct flush *list = array_reserve(o->flushes, o->flush_count,
					   &o->flush_room, FIRST,
					   sizeof(*list));

	if (!list)
		return -ENOMEM;
	o->flushes = list;
	/* moments are 32 bits, one more than flushes */
	if (o->flush_count >= UINT32_MAX - 1)
		return -ENOMEM;
	list[o->flush_count++] = (struct flush){ at->time, may_end };
	return 0;
}

int order_add_end(struct order *o, const struct order_place *at,
		  uint32_t count)
{
	struct end *list = array_reserve(o->ends, o->end_count, &o->end_room,
					 FIRST, sizeof(*list));

	if (!list)
		return -ENOMEM;
	o->ends = list;
	list[o->end_count++] = (struct end){ .time = at->time,
						.count = count };
	return 0;
}

/* --- between the passes -------------------------------------------------- */

static int by_time(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

static int compare_flushes(const void *a, const void *b)
{
	return by_time(((const struct flush *)a)->time,
		       ((const struct flush *)b)->time);
}

static int compare_ends(const void *a, const void *b)
{
	return by_time(((const struct end *)a)->time,
		       ((const struct end *)b)->time);
}

/* Flushes of one time, of several files, are one moment. */
static int make_moments(struct order *o)
{
	o->moments = calloc(o->flush_count + 1, sizeof(*o->moments));
	if (!o->moments)
		return -ENOMEM;
	for (size_t i = 0; i < o->flush_count; i++) {
		struct moment *m = &o->moments[o->moment_count];

		if (!i || m[-1].time != o->flushes[i].time) {
			m->time = o->flushes[i].time;
			o->moment_count++;
		}
	}
	return 0;
}

/* Matches ends and flushes, oldest first; ignores an end before its flush. */
static void match_ends(struct order *o)
{
	uint32_t moment = 0, moments = 0;
	size_t flush = 0;

	for (size_t i = 0; i < o->end_count; i++) {
		struct end *e = &o->ends[i];

		for (; e->count && flush < o->flush_count; flush++) {
			const struct flush *f = &o->flushes[flush];

			if (f->time > e->time)
				break;
			while (o->moments[moment].time < f->time)
				moment++;
			if (!f->may_end)
				continue;
			e->count--;
			moments = moment + 1;
		}
		e->moments = moments;
	}
}

int order_sort(struct order *o)
{
	if (o->flush_count)
		qsort(o->flushes, o->flush_count, sizeof(*o->flushes),
		      compare_flushes);
	if (o->end_count)
		qsort(o->ends, o->end_count, sizeof(*o->ends), compare_ends);
	if (make_moments(o))
		return -ENOMEM;
	match_ends(o);
	free(o->flushes);
	o->flushes = NULL;
	return 0;
}

/* --- the second pass ----------------------------------------------------- */

/* The number of moments up to and at a time. */
static uint32_t moments_until(const struct order *o, struct order_place *at)
{
	while (at->moment < o->moment_count &&
	       o->moments[at->moment].time <= at->time)
		at->moment++;
	return at->moment;
}

void order_place_flush(const struct order *o, struct order_place *at,
		       struct order_item *i)
{
	uint32_t until = moments_until(o, at);

	at->own = until;
	*i = (struct order_item){ .moment = until ? until - 1 : 0,
				  .flush = true };
}

void order_place_change(const struct order *o, struct order_place *at,
			bool behind, struct order_item *i)
{
	uint32_t until = moments_until(o, at), flushed = 0;

	while (at->end < o->end_count && o->ends[at->end].time < at->time)
		at->end++;
	if (at->end)
		flushed = o->ends[at->end - 1].moments;
	/* none waits at the largest time, which several flushes may have */
	if (behind && at->own > flushed && at->time < UINT64_MAX)
		flushed = at->own;
	*i = (struct order_item){ .moment = until, .flushed = flushed };
}

void order_expect(struct order *o, const struct order_item *i)
{
	struct moment *m = &o->moments[i->moment];

	if (i->flush)
		m->flushes++;
	else
		m->changes++;
}

/* --- what is held: queues, locked ---------------------------------------- */

/* The order within a queue. */
static uint32_t rank(const struct order_item *i)
{
	return i->flush ? i->moment : i->flushed;
}

/* Searches from the end, where items nearly always belong. */
static void hold(struct queue *q, struct order_item *i)
{
	struct order_item *before = q->last;

	while (before && rank(before) > rank(i))
		before = before->before;
	i->before = before;
	i->after = before ? before->after : q->first;
	if (i->after)
		i->after->before = i;
	else
		q->last = i;
	if (before)
		before->after = i;
	else
		q->first = i;
}

static bool may_go(const struct order *o, const struct order_item *i)
{
	return i->flush ? i->moment < o->clear : i->flushed <= o->flushed;
}

static void measure(struct order *o, const struct order_item *i, uint64_t now)
{
	histogram_add(&o->held, i->due && now > i->due ? now - i->due : 0);
	o->last = now;
}

/* Moves items that may go from the front of a queue to a list. */
static struct order_item **take(struct order *o, struct queue *q, bool all,
				struct order_item **end)
{
	uint64_t now = time_now();
	struct order_item *i;

	while ((i = q->first) != NULL && (all || may_go(o, i))) {
		q->first = i->after;
		if (q->first)
			q->first->before = NULL;
		else
			q->last = NULL;
		if (!all)
			measure(o, i, now);
		*end = i;
		end = &i->after;
	}
	*end = NULL;
	return end;
}

/* Without the lock; must not read an item after passing it on. */
static void give(struct order_item *i, order_release *to)
{
	while (i) {
		struct order_item *next = i->after;

		to(i);
		i = next;
	}
}

/* --- the replay ---------------------------------------------------------- */

/* With the lock: advances clear and flushed; whether one has changed. */
static bool advance(struct order *o)
{
	uint32_t clear = o->clear, flushed = o->flushed;

	/* nothing waits after the last flush */
	while (o->clear < o->moment_count && !o->moments[o->clear].changes_left)
		o->clear++;
	while (o->flushed < o->moment_count &&
	       !o->moments[o->flushed].flushes_left)
		o->flushed++;
	return o->clear != clear || o->flushed != flushed;
}

void order_begin(struct order *o)
{
	pthread_mutex_lock(&o->lock);
	for (uint32_t i = 0; i <= o->moment_count; i++) {
		o->moments[i].flushes_left = o->moments[i].flushes;
		o->moments[i].changes_left = o->moments[i].changes;
	}
	o->clear = o->flushed = 0;
	advance(o);
	pthread_mutex_unlock(&o->lock);
}

bool order_is_done(struct order *o)
{
	bool done;

	pthread_mutex_lock(&o->lock);
	done = o->clear == o->moment_count && o->flushed == o->moment_count &&
	       !o->moments[o->moment_count].changes_left;
	pthread_mutex_unlock(&o->lock);
	return done;
}

bool order_enter(struct order *o, struct order_item *i)
{
	bool go;

	pthread_mutex_lock(&o->lock);
	go = may_go(o, i);
	if (!go)
		hold(i->flush ? &o->held_flushes : &o->held_changes, i);
	pthread_mutex_unlock(&o->lock);
	return go;
}

/* A file changed since it was counted may have more items. */
static void count_down(struct order *o, const struct order_item *i)
{
	struct moment *m = &o->moments[i->moment];
	uint32_t *left = i->flush ? &m->flushes_left : &m->changes_left;

	if (*left)
		--*left;
}

void order_leave(struct order *o, struct order_item *i)
{
	struct order_item *list = NULL, **end = &list;

	pthread_mutex_lock(&o->lock);
	count_down(o, i);
	if (advance(o)) {
		end = take(o, &o->held_flushes, false, end);
		take(o, &o->held_changes, false, end);
	}
	pthread_mutex_unlock(&o->lock);
	give(list, o->release);
}

void order_abandon(struct order *o, order_release *drop)
{
	struct order_item *list = NULL, **end = &list;

	pthread_mutex_lock(&o->lock);
	end = take(o, &o->held_flushes, true, end);
	take(o, &o->held_changes, true, end);
	pthread_mutex_unlock(&o->lock);
	give(list, drop);
}

uint64_t order_last(struct order *o)
{
	uint64_t last;

	pthread_mutex_lock(&o->lock);
	last = o->last;
	pthread_mutex_unlock(&o->lock);
	return last;
}

const struct histogram *order_held(const struct order *o)
{
	return &o->held;
}

/* --- order read ----------------------------------------------------------- */

/* a pass' work on a packet; 0 or -ENOMEM */
typedef int pass(struct order *o, struct order_place *at, uint64_t time,
		 const struct packet *p);

bool order_read_counts(const struct packet *p,
		       const struct replay_options *options)
{
	enum kind k = kind_of(p);

	if (p->kind == PACKET_FLUSHED || k == KIND_FLUSH)
		return true;
	return kind_changes(k) && packet_is_possible(p) &&
	       kind_sent_as(k, options) != KINDS;
}

/* --- the passes ---------------------------------------------------------- */

static int add(struct order *o, struct order_place *at, uint64_t time,
	       const struct packet *p)
{
	int err = 0;

	order_step(at, time);
	if (p->kind == PACKET_FLUSHED)
		return order_add_end(o, at, p->bytes / 512);
	if (packet_is_flush(p))
		return order_add_flush(o, at, true);
	if (p->preflush) {
		err = order_add_flush(o, at, false);
		order_step(at, time);
	}
	return err;
}

unsigned int order_read_places(const struct order *o, struct order_place *at,
			       uint64_t time, const struct packet *p,
			       struct order_item places[2])
{
	unsigned int n = 0;

	order_step(at, time);
	if (p->kind == PACKET_FLUSHED)
		return 0;
	if (packet_is_flush(p) || p->preflush)
		order_place_flush(o, at, &places[n++]);
	if (packet_is_flush(p))
		return n;
	if (p->preflush)
		order_step(at, time);
	order_place_change(o, at, p->preflush, &places[n++]);
	return n;
}

static int expect(struct order *o, struct order_place *at, uint64_t time,
		  const struct packet *p)
{
	struct order_item places[2];
	unsigned int n = order_read_places(o, at, time, p, places);

	while (n--)
		order_expect(o, &places[n]);
	return 0;
}

/* --- files --------------------------------------------------------------- */

static int read_file(struct order *o, struct bunch_reader *r,
		     const struct replay_options *options, pass *f)
{
	struct order_place at = { .begun = false };
	struct bunch b;
	int got, err = 0;

	while (!err && (got = bunch_reader_next(r, &b)) > 0)
		for (uint32_t i = 0; !err && i < b.count; i++)
			if (order_read_counts(&b.packets[i], options))
				err = f(o, &at, b.time, &b.packets[i]);
	if (!err && got < 0)
		err = -EBADMSG;
	if (err == -EBADMSG)
		msg_warn("%s: damaged: %s", bunch_reader_path(r),
			 bunch_reader_fault(r));
	else if (err)
		msg_warn("out of memory");
	bunch_reader_rewind(r);
	return err;
}

static int read_files(struct order *o, const struct job *l, unsigned int target,
		      const struct replay_options *options, pass *f)
{
	int err = 0;

	for (unsigned int i = 0; !err && i < l->file_count; i++)
		if (l->files[i].target == target)
			err = read_file(o, l->files[i].reader, options, f);
	return err;
}

static bool has_flush(const struct job *l, unsigned int target)
{
	for (unsigned int i = 0; i < l->file_count; i++)
		if (l->files[i].target == target &&
		    l->files[i].scan.kinds[KIND_FLUSH].ios)
			return true;
	return false;
}

int order_read(struct order **out, const struct job *l, unsigned int target,
	       const struct replay_options *options, order_release *release)
{
	struct order *o;
	int err;

	*out = NULL;
	if (kind_sent_as(KIND_FLUSH, options) == KINDS || !has_flush(l, target))
		return 0;
	o = order_new(release);
	if (!o) {
		msg_warn("out of memory");
		return -1;
	}
	err = read_files(o, l, target, options, add);
	if (!err && order_sort(o)) {
		msg_warn("out of memory");
		err = -1;
	}
	if (!err)
		err = read_files(o, l, target, options, expect);
	if (err) {
		order_free(o);
		return -1;
	}
	*out = o;
	return 0;
}
