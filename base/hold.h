/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Puts things that come nearly in order into it.  All are held, and the least by
 * key is next; when it may go is the owner's rule: so long before the newest, or
 * when too many are held.
 *
 * Things of one source (a CPU, a lane) mostly come in order, so each source has a
 * queue, of which only the front is in a heap; what is less than the last of its
 * queue is in the heap by itself.
 */
#ifndef BASE_HOLD_H
#define BASE_HOLD_H

#include <stddef.h>
#include <stdint.h>

#include "base/heap.h"
#include "base/pool.h"

#define HOLD_ALONE UINT32_MAX	/* the source of what has no queue */

struct hold_queue {
	struct order end;	/* the last one's key */
	uint32_t first, last;	/* slots, POOL_NONE when it is empty */
};

/* an item follows its slot */
struct hold_slot {
	uint32_t next;		/* in its queue, or POOL_NONE */
	uint32_t source;	/* its queue, or HOLD_ALONE */
};

struct hold {
	struct pool slots;
	struct heap heap;
	struct hold_queue *queues;	/* by source */
	uint32_t queue_count;
};

/* an item's key, which stays the same as long as it is held */
typedef struct order hold_key(const void *item);

/* what items of item_size bytes point to is the owner's */
void hold_init(struct hold *h, size_t item_size);

/* it must be initialized again before another use */
void hold_free(struct hold *h);

static inline struct hold_slot *hold_slot(const struct hold *h, uint32_t i)
{
	return pool_get(&h->slots, i);
}

/* the slow path of hold_add(): what does not follow the last of its queue */
void *hold_add_apart(struct hold *h, uint32_t source, const struct order *key);

/* A place for an item of a source (a small number, or HOLD_ALONE), to be filled
 * before the next call, with this key.  NULL: no memory, and nothing is added. */
static inline void *hold_add(struct hold *h, uint32_t source,
			     const struct order *key)
{
	struct hold_queue *q;
	struct hold_slot *s;
	uint32_t i;

	if (source >= h->queue_count)
		return hold_add_apart(h, source, key);
	q = &h->queues[source];
	if (q->last == POOL_NONE || order_before(key, &q->end))
		return hold_add_apart(h, source, key);
	i = pool_add(&h->slots);
	if (i == POOL_NONE)
		return NULL;
	hold_slot(h, q->last)->next = i;
	q->last = i;
	q->end = *key;
	s = hold_slot(h, i);
	*s = (struct hold_slot){ POOL_NONE, source };
	return s + 1;
}

/* removes the first of a queue, which is the heap's, and has the next one there */
static inline void hold_advance(struct hold *h, struct hold_queue *q,
				hold_key *key)
{
	struct order next;
	struct hold_slot *s;

	q->first = hold_slot(h, q->first)->next;
	if (q->first == POOL_NONE) {
		q->last = POOL_NONE;
		heap_pop(&h->heap);
		return;
	}
	s = hold_slot(h, q->first);
	next = key(s + 1);
	heap_replace(&h->heap, &next, q->first);
	if (s->next != POOL_NONE)
		__builtin_prefetch(hold_slot(h, s->next));
}

/* Removes the least, of which there must be one; valid until the next add.  key may
 * be NULL if all are alone. */
static inline void *hold_take(struct hold *h, hold_key *key)
{
	uint32_t i = heap_top(&h->heap)->id;
	struct hold_slot *s = hold_slot(h, i);

	if (!key || s->source == HOLD_ALONE)
		heap_pop(&h->heap);
	else
		hold_advance(h, &h->queues[s->source], key);
	pool_remove(&h->slots, i);
	return s + 1;
}

/* the key of the least, or NULL */
static inline const struct order *hold_least(const struct hold *h)
{
	const struct heap_node *top = heap_top(&h->heap);

	return top ? &top->key : NULL;
}

/* how many are held */
static inline uint32_t hold_count(const struct hold *h)
{
	return pool_count(&h->slots);
}

/* the first of a source's queue, valid until the next add; NULL: it is empty */
const void *hold_front(const struct hold *h, uint32_t source);

/* item N of all that were ever held, as it was left: to free what they point to.
 * NULL: no more */
void *hold_any(const struct hold *h, uint32_t n);

#endif
