/* SPDX-License-Identifier: GPL-2.0-only */
/* I/Os as they arrived; see inflow.h. */
#include <stdlib.h>

#include "base/hint.h"
#include "cache/inflow.h"

enum { RING = INFLOW_HELD };	/* the list's ends are here */

struct link {
	uint64_t time, id;
	uint16_t before, after;
};

/* Links and what they are of have the same numbers; free ones are linked by after. */
struct inflow {
	struct link links[INFLOW_HELD + 1];
	struct arrival list[INFLOW_HELD];
	uint32_t count;
	uint16_t free;
};

struct inflow *inflow_new(void)
{
	struct inflow *a = calloc(1, sizeof(*a));

	if (!a)
		return NULL;
	for (uint16_t i = 0; i < INFLOW_HELD; i++)
		a->links[i].after = i + 1;
	/* before all others */
	a->links[RING].before = a->links[RING].after = RING;
	return a;
}

bool inflow_full(const struct inflow *a)
{
	return a->count == INFLOW_HELD;
}

static inline bool is_later(const struct link *l, const struct arrival *one)
{
	return UNLIKELY(l->time == one->time) ? l->id > one->id :
						l->time > one->time;
}

void inflow_add(struct inflow *a, const struct arrival *one)
{
	struct link *links = a->links;
	uint16_t n = a->free, before = links[RING].before;

	a->free = links[n].after;
	while (is_later(&links[before], one))
		before = links[before].before;
	links[n] = (struct link){ one->time, one->id, before,
				  links[before].after };
	links[links[n].after].before = n;
	links[before].after = n;
	a->list[n] = *one;
	a->count++;
}

const struct arrival *inflow_take(struct inflow *a)
{
	struct link *links = a->links;
	uint16_t n = links[RING].after;

	if (!a->count)
		return NULL;
	links[RING].after = links[n].after;
	links[links[n].after].before = RING;
	links[n].after = a->free;
	a->free = n;
	a->count--;
	return &a->list[n];
}

void inflow_free(struct inflow *a)
{
	free(a);
}
