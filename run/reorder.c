/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Live order; see reorder.h.
 *
 * A held event is a copy in a slot.  A lane's events mostly arrive in order, so
 * they are a queue, whose front is in a heap; others are in the heap directly.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/heap.h"
#include "base/pool.h"
#include "base/time.h"
#include "file/hooks.h"
#include "file/source.h"
#include "file/stream.h"
#include "record/kept.h"
#include "record/record.h"
#include "run/device.h"
#include "run/reorder.h"

enum { NONE = POOL_NONE };

struct slot {
	struct kept kept;
	uint64_t stamp;		/* falls with arrival */
	uint32_t next;		/* in its queue */
	bool queued;
};

struct queue {
	uint32_t first, last;	/* slots, NONE when empty */
};

struct reorder {
	struct stream *in;
	struct source *src;	/* the stream's, to wait on */
	struct devices *devices;
	const struct hooks *hooks;
	const char *name;
	bool filtered;
	uint32_t player;
	int quiet_ms;		/* before -EAGAIN */
	int64_t heard_ms;	/* time of the last event or -EAGAIN */
	uint64_t heard;		/* the stamp then */

	struct pool slots;
	uint32_t held, bound;
	size_t payloads;	/* bytes held outside slots */

	struct queue *queues;	/* by lane number */
	uint32_t queue_count;
	struct heap heap;
	uint64_t stamp;

	uint32_t shown;		/* the slot handed out last, or NONE */
	uint64_t hold;		/* ns of trace time that events are held */
	uint64_t newest;	/* latest time read */
	uint64_t released;	/* latest time shown */
	uint64_t opened;	/* all before this time are released */
	bool ended;
	bool crowded;		/* too many lanes: reported once */
	uint64_t late;
};

struct reorder *reorder_new(struct source *src, struct devices *devices,
			    const struct reorder_options *o,
			    const struct hooks *hooks)
{
	struct reorder *l = calloc(1, sizeof(*l));
	struct stream_options so = {
		.name = o->name,
		.origin = o->origin,
		.timed = o->timed,
		.cpu = STREAM_ANY_CPU,
		.batch = o->events && o->events < STREAM_BATCH ? o->events :
								 STREAM_BATCH,
	};

	if (!l) {
		source_close(src);
		return NULL;
	}
	l->src = src;
	l->hold = source_is_live(src) ? REORDER_HOLD : UINT64_MAX;
	l->devices = devices;
	l->hooks = hooks;
	l->filtered = o->filtered;
	l->player = o->player;
	l->quiet_ms = o->quiet_ms ? o->quiet_ms : REORDER_SILENCE;
	l->bound = o->events ? o->events : REORDER_EVENTS;
	l->slots.item_size = sizeof(struct slot);
	l->shown = NONE;
	l->stamp = UINT64_MAX;
	l->name = o->name;
	l->in = stream_new(src, &so, hooks);
	if (!l->in) {
		reorder_free(l);
		return NULL;
	}
	return l;
}

/* --- slots ------------------------------------------------------------- */

static struct slot *slot_at(const struct reorder *l, uint32_t i)
{
	return pool_get(&l->slots, i);
}

static void slot_put(struct reorder *l, uint32_t i)
{
	struct slot *s = slot_at(l, i);

	l->payloads -= kept_allocated(&s->kept);
	kept_free(&s->kept);
	pool_remove(&l->slots, i);
}

/* --- holding ------------------------------------------------------------ */

/* By time, device, number; among equals the last one read. */
static struct order key_of(const struct slot *s)
{
	return (struct order){
		s->kept.ev.time,
		(uint64_t)s->kept.ev.device << 32 | s->kept.ev.sequence,
		s->stamp,
	};
}

static int hold_in_heap(struct reorder *l, uint32_t i)
{
	struct order key = key_of(slot_at(l, i));

	return heap_push(&l->heap, &key, i);
}

static struct queue *queue_of(struct reorder *l, const struct lane *lane)
{
	uint32_t count = l->queue_count ? l->queue_count : 64;
	struct queue *queues;

	if (lane->id < l->queue_count)
		return &l->queues[lane->id];
	while (count <= lane->id)
		count *= 2;
	queues = realloc(l->queues, count * sizeof(*queues));
	if (!queues)
		return NULL;
	for (uint32_t i = l->queue_count; i < count; i++)
		queues[i] = (struct queue){ NONE, NONE };
	l->queues = queues;
	l->queue_count = count;
	return &queues[lane->id];
}

static int enqueue(struct reorder *l, uint32_t i)
{
	struct slot *s = slot_at(l, i);
	struct queue *q = queue_of(l, s->kept.ev.lane);
	struct order mine = key_of(s), last;

	if (!q)
		return -ENOMEM;
	s->next = NONE;
	s->queued = true;
	if (q->last == NONE) {
		q->first = q->last = i;
		return hold_in_heap(l, i);
	}
	last = key_of(slot_at(l, q->last));
	if (order_before(&mine, &last)) {
		s->queued = false;
		return hold_in_heap(l, i);
	}
	slot_at(l, q->last)->next = i;
	q->last = i;
	return 0;
}

static void report_crowd(struct reorder *l)
{
	if (!l->crowded)
		l->hooks->damage(l->hooks->ctx, &(struct damage){
			.file = l->name, .what = "too many devices or CPUs;"
				" those beyond are left out" });
	l->crowded = true;
}

/* Holds a copy of *ev. */
static int hold(struct reorder *l, const struct event *ev)
{
	struct lane *lane = device_lane(l->devices, ev);
	struct slot *s;
	uint32_t i;
	int err;

	if (!lane && errno == ENOMEM)
		return -ENOMEM;
	if (!lane) {
		report_crowd(l);
		return 0;
	}
	i = pool_add(&l->slots);
	if (i == NONE)
		return -ENOMEM;
	s = slot_at(l, i);
	err = event_keep(&s->kept, ev);
	if (err)
		return err;
	l->payloads += kept_allocated(&s->kept);
	lane->filtered = l->filtered;
	lane->player = l->player;
	s->kept.ev.lane = lane;
	s->stamp = l->stamp--;
	l->held++;
	if (ev->time > l->newest)
		l->newest = ev->time;
	return enqueue(l, i);
}

/* --- releasing ------------------------------------------------------------ */

static bool releasable(const struct reorder *l)
{
	const struct heap_node *top = heap_top(&l->heap);

	if (!top)
		return false;
	return l->ended || l->newest - top->key.time >= l->hold ||
	       top->key.time < l->opened || top->key.time < l->released ||
	       l->held > l->bound || l->payloads > REORDER_PAYLOADS;
}

static inline void prefetch(const struct slot *s)
{
	__builtin_prefetch(&s->kept.ev);
	__builtin_prefetch(&s->next);
}

/* Replaces the queue's front by its next event, if any. */
static void advance(struct reorder *l, struct queue *q)
{
	const struct slot *next;
	struct order key;

	q->first = slot_at(l, q->first)->next;
	if (q->first == NONE) {
		q->last = NONE;
		heap_pop(&l->heap);
		return;
	}
	next = slot_at(l, q->first);
	key = key_of(next);
	heap_replace(&l->heap, &key, q->first);
	if (next->next != NONE)
		prefetch(slot_at(l, next->next));
}

static void release(struct reorder *l, struct event **ev)
{
	uint32_t i = heap_top(&l->heap)->id;
	struct slot *s = slot_at(l, i);

	*ev = kept_event(&s->kept);
	if (s->queued)
		advance(l, &l->queues[(*ev)->lane->id]);
	else
		heap_pop(&l->heap);
	l->held--;
	if ((*ev)->time < l->released)
		l->late++;
	else
		l->released = (*ev)->time;
	l->shown = i;
}

/* ms left until no event is silence; notes do not count, as each CPU writes a
 * seal once a second. */
static int wait_most(struct reorder *l)
{
	int64_t now = time_now_ms(), over;

	if (l->heard != l->stamp)
		l->heard_ms = now;
	l->heard = l->stamp;
	over = l->heard_ms + (l->held ? REORDER_SILENCE : l->quiet_ms);
	return over > now ? (int)(over - now) : 0;
}

/*
 * Flushes output and waits for input.  A signal just before the wait is only
 * noticed after it, so a wait is no longer than REORDER_SILENCE.
 */
static int wait(struct reorder *l)
{
	int got;

	l->hooks->idle(l->hooks->ctx);
	got = source_wait(l->src, wait_most(l));
	if (got < 0)
		return got;
	if (got == 0)
		l->heard_ms = time_now_ms();
	if (got == 0 && !l->held)
		return -EAGAIN;
	if (got == 0)
		l->opened = l->newest + 1;
	return 0;
}

/* Reads an event or the end, or waits. */
static int read_one(struct reorder *l)
{
	struct event *ev;
	int got = stream_next(l->in, &ev);

	if (got == 1)
		return hold(l, ev);
	if (got == -EAGAIN)
		return wait(l);
	if (got == -EINTR)
		return got;
	l->ended = true;
	return got;
}

int reorder_next(struct reorder *l, struct event **ev)
{
	if (l->shown != NONE) {
		slot_put(l, l->shown);
		l->shown = NONE;
	}
	/* compare all events that the stream has read ahead */
	while (!releasable(l) || stream_waiting(l->in)) {
		int err;

		if (l->ended)
			return 0;
		err = read_one(l);
		if (err < 0)
			return err;
	}
	release(l, ev);
	return 1;
}

const struct event *reorder_front(const struct reorder *l,
				  const struct lane *lane)
{
	uint32_t first = NONE;

	if (lane->id < l->queue_count)
		first = l->queues[lane->id].first;
	return first == NONE ? NULL : &slot_at(l, first)->kept.ev;
}

uint64_t reorder_watermark(const struct reorder *l)
{
	return l->newest > l->hold ? l->newest - l->hold : l->released;
}

uint64_t reorder_late(const struct reorder *l)
{
	return l->late;
}

void reorder_stop(struct reorder *l)
{
	stream_stop(l->in);
}

void reorder_progress(const struct reorder *l, uint64_t *done,
		      uint64_t *total)
{
	stream_progress(l->in, done, total);
}

void reorder_free(struct reorder *l)
{
	if (!l)
		return;
	for (uint32_t i = 0; i < l->slots.used; i++)
		kept_free(&slot_at(l, i)->kept);
	stream_free(l->in);
	heap_free(&l->heap);
	free(l->queues);
	pool_free(&l->slots);
	free(l);
}
