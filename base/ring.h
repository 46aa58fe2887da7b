/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A doubly linked list through a head.  Items have a struct ring as their first
 * member.
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

/* removes r from its ring */
static inline void ring_take(struct ring *r)
{
	r->next->prev = r->prev;
	r->prev->next = r->next;
}

/* inserts r, which is in no ring, at the front */
static inline void ring_put_first(struct ring *head, struct ring *r)
{
	r->next = head->next;
	r->prev = head;
	head->next->prev = r;
	head->next = r;
}

/* the same at the end */
static inline void ring_put_last(struct ring *head, struct ring *r)
{
	ring_put_first(head->prev, r);
}

#endif
