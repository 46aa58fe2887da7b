/* SPDX-License-Identifier: GPL-2.0-only */
/* A binary heap of things to do; see agenda.h. */
#include <stdlib.h>

#include "base/msg.h"
#include "bench/synth/agenda.h"

enum { FIRST_ITEMS = 1024 };

static void grow(struct agenda *a)
{
	a->size = a->size ? 2 * a->size : FIRST_ITEMS;
	a->items = reallocarray(a->items, a->size, sizeof(*a->items));
	if (!a->items)
		msg_die("agenda:");
}

/* Moves parents down until the new item's place is found. */
void agenda_add(struct agenda *a, struct item item)
{
	size_t i = a->used++;

	if (i == a->size)
		grow(a);
	for (; i > 0; i = (i - 1) / 2) {
		struct item *parent = &a->items[(i - 1) / 2];

		if (parent->when <= item.when)
			break;
		a->items[i] = *parent;
	}
	a->items[i] = item;
}

/* The last item takes the first one's place and sinks to its own. */
struct item agenda_take(struct agenda *a)
{
	struct item *items = a->items, first = items[0];
	struct item last = items[--a->used];
	size_t i = 0, child;

	while ((child = 2 * i + 1) < a->used) {
		if (child + 1 < a->used &&
		    items[child + 1].when < items[child].when)
			child++;
		if (last.when <= items[child].when)
			break;
		items[i] = items[child];
		i = child;
	}
	items[i] = last;
	return first;
}

void agenda_free(struct agenda *a)
{
	free(a->items);
	*a = (struct agenda){ 0 };
}
