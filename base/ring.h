/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Things in an order that changes: a ring through a head, which is no thing.
 * A thing has its place in it, a struct ring, as its first member, so that the
 * place is the thing.  Nothing is allocated, and every call takes the same
 * short time.
 */
#ifndef BASE_RING_H
#define BASE_RING_H

#include <stdbool.h>

struct ring {
	struct ring *next, *prev;
};

/* head becomes an empty ring */
static inline void ring_init(struct ring *head)
{
	head->next = head->prev = head;
}

static inline bool ring_is_empty(const struct ring *head)
{
	return head->next == head;
}

/* takes r out of the ring that it is in */
static inline void ring_take(struct ring *r)
{
	r->next->prev = r->prev;
	r->prev->next = r->next;
}

/* puts r, which is in no ring, in front of all others */
static inline void ring_put_first(struct ring *head, struct ring *r)
{
	r->next = head->next;
	r->prev = head;
	head->next->prev = r;
	head->next = r;
}

/* the same behind all others */
static inline void ring_put_last(struct ring *head, struct ring *r)
{
	ring_put_first(head->prev, r);
}

#endif
