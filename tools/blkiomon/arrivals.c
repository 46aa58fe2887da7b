/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Live order for blkiomon; see arrivals.h.
 *
 * Events arriving in order form the main queue.  Earlier ones are mostly in a
 * block of another CPU, in order, so each CPU has a queue, too, and a heap has
 * each queue's front; an event earlier than its CPU's last is in the heap by
 * itself.
 *
 * A queue is a list of chunks, and the chunk that was emptied last is the next
 * to be filled: so events are written where the cache has just been read.
 */
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/heap.h"
#include "base/hint.h"
#include "base/pages.h"
#include "run/reorder.h"
#include "tools/blkiomon/arrivals.h"
#include "tools/blkiomon/pairs.h"

enum {
	NONE = UINT32_MAX,
	QUEUES = 256,		/* CPUs beyond share them */
	FIRST_SINGLES = 64,
	CHUNK_SIZE = 4096,
	BLOCK_CHUNKS = 64,
	CACHE_LINE = 64,
};

struct chunk {
	struct chunk *next;	/* in its queue, or unused */
	uint8_t items[CHUNK_SIZE - sizeof(void *)];
};

/* of items: an empty one has no chunks, and all is NULL */
struct queue {
	uint8_t *from, *to;	/* the first item; where the next one goes */
	uint8_t *from_end, *to_end;	/* their chunks' ends */
	struct chunk *first, *last;	/* their chunks */
	uint64_t end;		/* time of the last item */
};

/* what is in the heap by itself */
struct single {
	uint32_t next;		/* unused one, or NONE */
	struct seen seen;	/* or the start of a struct seen_whole */
};

struct arrivals {
	bool whole;
	size_t item;		/* bytes of one */
	size_t chunk;		/* and of all in a chunk */
	struct chunk *unused;	/* list */
	struct pages pages;	/* all chunks */
	struct queue main;
	uint32_t held;
	uint64_t hold;		/* ns of trace time that events are held */
	uint64_t newest;	/* latest time that has arrived, */
	uint64_t ticked;	/* that had arrived at the last tick, */
	uint64_t ripe;		/* and at the one before: what is earlier may
				 * go, if newest is hold later */
	uint64_t released;	/* latest time that has gone */
	uint64_t opened;	/* up to this time all may go, */
	bool flushed;		/* if it has been set */
	uint64_t late;
	uint64_t latest;	/* number of the last record */
	struct heap heap;	/* all that is not in the main queue: numbers
				 * of queues, and QUEUES + those of singles */
	struct queue queues[QUEUES];
	uint8_t *singles;	/* each of stride bytes */
	size_t stride;
	size_t single_size;	/* of singles, */
	uint32_t single_used;	/* how many ever were in use, */
	uint32_t single_unused;	/* and list of those that are free */
};

struct arrivals *arrivals_new(bool live, bool whole)
{
	struct arrivals *a = calloc(1, sizeof(*a));

	if (!a)
		return NULL;
	a->whole = whole;
	a->item = seen_size(whole);
	a->chunk = sizeof(a->unused->items) / a->item * a->item;
	a->hold = live ? REORDER_HOLD : UINT64_MAX;
	a->stride = offsetof(struct single, seen) + a->item;
	a->single_unused = NONE;
	return a;
}

void arrivals_free(struct arrivals *a)
{
	if (!a)
		return;
	pages_free(&a->pages);
	heap_free(&a->heap);
	free(a->singles);
	free(a);
}

/* --- queues --------------------------------------------------------------- */

/* Adds a block of chunks to the unused ones.  0 or -ENOMEM. */
static COLD int add_block(struct arrivals *a)
{
	struct chunk *chunks = pages_add(&a->pages,
					 BLOCK_CHUNKS * sizeof(*chunks));

	if (!chunks)
		return -ENOMEM;
	for (int i = BLOCK_CHUNKS; i-- > 0;) {
		chunks[i].next = a->unused;
		a->unused = &chunks[i];
	}
	return 0;
}

/* Adds a chunk.  0 or -ENOMEM. */
static APART int extend(struct arrivals *a, struct queue *q)
{
	struct chunk *c;

	if (!a->unused && add_block(a))
		return -ENOMEM;
	c = a->unused;
	a->unused = c->next;
	c->next = NULL;
	q->to = c->items;
	q->to_end = c->items + a->chunk;
	if (q->last) {
		q->last->next = c;
	} else {
		q->first = c;
		q->from = q->to;
		q->from_end = q->to_end;
	}
	q->last = c;
	return 0;
}

/* A place at the end for an event of that time, or NULL: no memory. */
static inline struct seen *append(struct arrivals *a, struct queue *q,
				  uint64_t time)
{
	struct seen *s;

	if (UNLIKELY(q->to == q->to_end) && extend(a, q))
		return NULL;
	s = (struct seen *)q->to;
	q->to += a->item;
	q->end = time;
	return s;
}

static inline const struct seen *front(const struct queue *q)
{
	return (const struct seen *)q->from;
}

/* The first chunk is used up; its items can be read until the next append. */
static APART void drop_chunk(struct arrivals *a, struct queue *q)
{
	struct chunk *c = q->first;

	q->first = c->next;
	c->next = a->unused;
	a->unused = c;
	if (!q->first) {
		*q = (struct queue){ .from = NULL };
		return;
	}
	q->from = q->first->items;
	q->from_end = q->from + a->chunk;
	if (q->first->next)
		for (int i = 0; i < 4; i++)
			__builtin_prefetch(q->first->next->items +
					   i * CACHE_LINE);
}

/* Removes the first. */
static inline void advance(struct arrivals *a, struct queue *q)
{
	q->from += a->item;
	if (UNLIKELY(q->from == q->from_end || q->from == q->to))
		drop_chunk(a, q);
}

/* --- apart from the main queue -------------------------------------------- */

/* At equal times in order of arrival; of two that arrived 2^32 records apart,
 * maybe not. */
static inline struct order key_of(const struct arrivals *a,
				  const struct seen *s)
{
	uint32_t since = (uint32_t)a->latest - s->order;

	return (struct order){ s->time, a->latest - since, 0 };
}

static struct single *single_of(const struct arrivals *a, uint32_t i)
{
	return (struct single *)(a->singles + i * a->stride);
}

/* A single's number, or NONE: no memory. */
static uint32_t single_get(struct arrivals *a)
{
	uint32_t i = a->single_unused;
	uint8_t *singles;

	if (i != NONE) {
		a->single_unused = single_of(a, i)->next;
		return i;
	}
	singles = array_reserve(a->singles, a->single_used, &a->single_size,
				FIRST_SINGLES, a->stride);
	if (!singles)
		return NONE;
	a->singles = singles;
	return a->single_used++;
}

static struct seen *hold_single(struct arrivals *a, const struct order *key)
{
	uint32_t i = single_get(a);

	if (i == NONE || heap_push(&a->heap, key, QUEUES + i))
		return NULL;
	return &single_of(a, i)->seen;
}

/* Holds an event earlier than the main queue's end. */
static APART struct seen *hold_apart(struct arrivals *a, uint64_t time,
				     uint32_t cpu)
{
	const struct order key = { time, a->latest, 0 };
	struct queue *q = &a->queues[cpu % QUEUES];
	bool alone = !q->first;

	if (!alone && time < q->end)
		return hold_single(a, &key);
	if (alone && heap_push(&a->heap, &key, cpu % QUEUES))
		return NULL;
	return append(a, q, time);
}

static inline const struct seen *apart(const struct arrivals *a,
				       const struct heap_node *top)
{
	if (top->id < QUEUES)
		return front(&a->queues[top->id]);
	return &single_of(a, top->id - QUEUES)->seen;
}

static void drop_single(struct arrivals *a, uint32_t i)
{
	single_of(a, i)->next = a->single_unused;
	a->single_unused = i;
	heap_pop(&a->heap);
}

/* Removes the heap's first, and adds the next one of its queue. */
static APART void take_apart(struct arrivals *a)
{
	uint32_t number = heap_top(&a->heap)->id;
	struct queue *q;
	struct order key;

	if (number >= QUEUES) {
		drop_single(a, number - QUEUES);
		return;
	}
	q = &a->queues[number];
	advance(a, q);
	if (!q->first) {
		heap_pop(&a->heap);
		return;
	}
	key = key_of(a, front(q));
	heap_replace(&a->heap, &key, number);
}

/* --- holding ------------------------------------------------------------- */

struct seen *arrivals_add(struct arrivals *a, uint64_t time, uint64_t order,
			  uint32_t cpu)
{
	struct seen *s;

	a->latest = order;
	a->held++;
	if (time > a->newest)
		a->newest = time;
	if (UNLIKELY(time < a->released))
		a->late++;
	if (UNLIKELY(time < a->main.end))
		s = hold_apart(a, time, cpu);
	else
		s = append(a, &a->main, time);
	if (UNLIKELY(!s))
		return NULL;
	s->time = time;
	s->order = (uint32_t)order;
	return s;
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

/* The next one, or NULL; *in_heap: not in the main queue. */
static inline const struct seen *first_of(const struct arrivals *a,
					  bool *in_heap)
{
	const struct heap_node *top = heap_top(&a->heap);
	struct order key;

	*in_heap = false;
	if (LIKELY(!top))
		return front(&a->main);
	*in_heap = true;
	if (!a->main.first)
		return apart(a, top);
	key = key_of(a, front(&a->main));
	*in_heap = order_before(&top->key, &key);
	return *in_heap ? apart(a, top) : front(&a->main);
}

const struct seen *arrivals_next(struct arrivals *a)
{
	bool in_heap;
	const struct seen *s = first_of(a, &in_heap);

	if (!s || !may_go(a, s->time))
		return NULL;
	if (s->time > a->released)
		a->released = s->time;
	a->held--;
	if (UNLIKELY(in_heap))
		take_apart(a);
	else
		advance(a, &a->main);
	return s;
}

uint64_t arrivals_late(const struct arrivals *a)
{
	return a->late;
}
