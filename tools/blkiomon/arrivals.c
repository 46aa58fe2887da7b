/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Live order for blkiomon; see arrivals.h.
 *
 * A held event is a copy in a slot.  Events arriving in order form the main
 * queue.  Earlier ones are mostly in a block of another CPU, in order, so each
 * CPU has a queue, too, and a heap has each queue's front; an event earlier
 * than its CPU's last goes into the heap by itself.
 */
#include <errno.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/heap.h"
#include "base/hint.h"
#include "record/record.h"
#include "run/reorder.h"
#include "tools/blkiomon/arrivals.h"
#include "tools/blkiomon/pairs.h"

enum {
	NONE = UINT32_MAX,
	FIRST_SLOTS = 1024,
	QUEUES = 256,		/* CPUs beyond share them */
};

struct slot {
	struct seen seen;
	uint32_t next;		/* behind it in its queue, or unused */
	uint32_t queue;		/* its CPU's, or NONE; not of the main one */
};

struct queue {
	uint32_t first, last;	/* slots, NONE when it is empty */
};

struct arrivals {
	struct slot *slots;
	size_t size;		/* of slots, */
	uint32_t used;		/* and how many ever were in use */
	uint32_t unused;	/* list of those that are free */
	uint32_t held;
	uint32_t shown;		/* the slot handed out last, or NONE */
	struct queue main;
	uint64_t main_end;	/* time of the last in it */
	struct queue queues[QUEUES];
	struct heap heap;	/* all that is not in the main queue */
	uint64_t hold;		/* ns of trace time that events are held */
	uint64_t newest;	/* latest time that has arrived, */
	uint64_t ticked;	/* that had arrived at the last tick, */
	uint64_t ripe;		/* and at the one before: what is earlier may
				 * go, if newest is hold later */
	uint64_t released;	/* latest time that has gone */
	uint64_t opened;	/* up to this time all may go, */
	bool flushed;		/* if it has been set */
	uint64_t late;
};

struct arrivals *arrivals_new(bool live)
{
	struct arrivals *a = calloc(1, sizeof(*a));

	if (!a)
		return NULL;
	a->hold = live ? REORDER_HOLD : UINT64_MAX;
	a->unused = a->shown = NONE;
	a->main = (struct queue){ NONE, NONE };
	for (int i = 0; i < QUEUES; i++)
		a->queues[i] = a->main;
	return a;
}

void arrivals_free(struct arrivals *a)
{
	if (!a)
		return;
	heap_free(&a->heap);
	free(a->slots);
	free(a);
}

/* --- slots --------------------------------------------------------------- */

/* An unused slot's number, or NONE: no memory. */
static uint32_t slot_get(struct arrivals *a)
{
	uint32_t i = a->unused;
	struct slot *slots;

	if (i != NONE) {
		a->unused = a->slots[i].next;
		return i;
	}
	slots = array_reserve(a->slots, a->used, &a->size, FIRST_SLOTS,
			      sizeof(*slots));
	if (!slots)
		return NONE;
	a->slots = slots;
	return a->used++;
}

static void slot_put(struct arrivals *a, uint32_t i)
{
	a->slots[i].next = a->unused;
	a->unused = i;
}

/* --- holding ------------------------------------------------------------- */

/* At equal times, in order of arrival. */
static inline struct order key_of(const struct slot *s)
{
	return (struct order){ s->seen.ev.time, s->seen.order, 0 };
}

static int hold_in_heap(struct arrivals *a, uint32_t i)
{
	struct order key = key_of(&a->slots[i]);

	return heap_push(&a->heap, &key, i);
}

static inline void append(struct arrivals *a, struct queue *q, uint32_t i)
{
	if (q->last == NONE)
		q->first = i;
	else
		a->slots[q->last].next = i;
	q->last = i;
}

/* Holds an event earlier than the main queue's end. */
static APART int hold_apart(struct arrivals *a, uint32_t i)
{
	struct slot *s = &a->slots[i];
	struct queue *q = &a->queues[s->seen.ev.cpu % QUEUES];
	uint32_t last = q->last;

	s->queue = (uint32_t)(q - a->queues);
	if (last != NONE && s->seen.ev.time < a->slots[last].seen.ev.time) {
		s->queue = NONE;
		return hold_in_heap(a, i);
	}
	append(a, q, i);
	return last == NONE ? hold_in_heap(a, i) : 0;
}

int arrivals_add(struct arrivals *a, const struct event *ev, uint64_t order)
{
	uint32_t i = slot_get(a);

	if (UNLIKELY(i == NONE))
		return -ENOMEM;
	a->slots[i].seen = (struct seen){ *ev, order };
	a->slots[i].next = NONE;
	a->held++;
	if (ev->time > a->newest)
		a->newest = ev->time;
	if (UNLIKELY(ev->time < a->released))
		a->late++;
	if (ev->time < a->main_end && a->main.last != NONE)
		return hold_apart(a, i);
	a->main_end = ev->time;
	append(a, &a->main, i);
	return 0;
}

/* --- letting go ---------------------------------------------------------- */

void arrivals_tick(struct arrivals *a)
{
	a->ripe = a->ticked;
	a->ticked = a->newest;
}

void arrivals_flush(struct arrivals *a)
{
	a->opened = a->newest;
	a->flushed = true;
}

static bool may_go(const struct arrivals *a, uint64_t time)
{
	return (time < a->ripe && a->newest - time >= a->hold) ||
	       (a->flushed && time <= a->opened) ||
	       time < a->released || a->held > REORDER_EVENTS;
}

/* Removes the first of a queue. */
static inline void advance(const struct arrivals *a, struct queue *q)
{
	q->first = a->slots[q->first].next;
	if (q->first == NONE)
		q->last = NONE;
}

/* Removes the heap's first, and adds the next one of its queue. */
static APART void take_apart(struct arrivals *a)
{
	uint32_t queue = a->slots[heap_top(&a->heap)->id].queue;
	struct queue *q = queue == NONE ? NULL : &a->queues[queue];
	struct order key;

	if (q)
		advance(a, q);
	if (!q || q->first == NONE) {
		heap_pop(&a->heap);
		return;
	}
	key = key_of(&a->slots[q->first]);
	heap_replace(&a->heap, &key, q->first);
}

/* The next slot, or NONE; *apart: in the heap. */
static inline uint32_t first_of(const struct arrivals *a, bool *apart)
{
	const struct heap_node *top = heap_top(&a->heap);
	struct order key;

	*apart = false;
	if (LIKELY(!top))
		return a->main.first;
	*apart = true;
	if (a->main.first == NONE)
		return top->id;
	key = key_of(&a->slots[a->main.first]);
	*apart = order_before(&top->key, &key);
	return *apart ? top->id : a->main.first;
}

bool arrivals_next(struct arrivals *a, const struct seen **seen)
{
	const struct seen *first;
	bool apart;

	if (a->shown != NONE)
		slot_put(a, a->shown);
	a->shown = first_of(a, &apart);
	if (a->shown == NONE)
		return false;
	first = &a->slots[a->shown].seen;
	if (!may_go(a, first->ev.time)) {
		a->shown = NONE;
		return false;
	}
	if (apart)
		take_apart(a);
	else
		advance(a, &a->main);
	a->held--;
	if (first->ev.time > a->released)
		a->released = first->ev.time;
	*seen = first;
	return true;
}

uint64_t arrivals_late(const struct arrivals *a)
{
	return a->late;
}
