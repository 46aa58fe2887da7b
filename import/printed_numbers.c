/* SPDX-License-Identifier: GPL-2.0-only */
/* Sequence numbers of printed events; see printed_numbers.h. */
#include <stdlib.h>

#include "base/array.h"
#include "import/order.h"
#include "import/printed_numbers.h"
#include "record/record.h"

enum {
	LANES_MAX = 65536,	/* devices times CPUs; others have no holes */
	LANES_SEEN = 64,	/* of a CPU, for a remap */
};

static struct numbered *lane_of(const struct printed_numbers *n,
				uint32_t device, uint32_t cpu)
{
	int64_t i = hash_get_number(&n->by_device,
				    (uint64_t)device << 32 | cpu);

	return i < 0 ? NULL : &n->list[i];
}

/* Without memory there is only no lane. */
static void add_lane(struct printed_numbers *n, const struct event *ev,
		     uint32_t next)
{
	uint64_t key = (uint64_t)ev->device << 32 | ev->cpu;
	struct numbered *list = NULL;

	if (n->count < LANES_MAX)
		list = array_reserve(n->list, n->count, &n->size, 64,
				     sizeof(*list));
	if (!list)
		return;
	n->list = list;
	if (hash_put_number(&n->by_device, key, (uint32_t)n->count))
		return;
	list[n->count] = (struct numbered){ ev->device, next,
					   n->of_cpu[ev->cpu] };
	n->of_cpu[ev->cpu] = (uint32_t)++n->count;
}

uint32_t printed_numbers_device(const struct printed_numbers *n,
				const struct event *ev, uint32_t number)
{
	const struct numbered *lane = lane_of(n, ev->device, ev->cpu);
	uint32_t at = n->of_cpu[ev->cpu];

	if (lane && lane->next == number)
		return ev->device;
	for (int i = 0; at && i < LANES_SEEN; i++) {
		lane = &n->list[at - 1];
		if (lane->next == number)
			return lane->device;
		at = lane->other;
	}
	return ev->device;
}

/* A number that is a little too small comes late; a much smaller one begins
 * anew. */
uint32_t printed_numbers_missing(struct printed_numbers *n,
				 const struct event *ev, uint32_t number)
{
	struct numbered *lane = lane_of(n, ev->device, ev->cpu);
	uint32_t missing, back;

	n->events++;
	if (!lane) {
		add_lane(n, ev, number + 1);
		return 0;
	}
	missing = number - lane->next;
	back = lane->next - number;
	if (missing && back <= ORDER_MAX)
		return 0;
	lane->next = number + 1;
	if (!missing || missing > INT32_MAX)
		return 0;
	n->holes++;
	return missing;
}

void printed_numbers_free(struct printed_numbers *n)
{
	free(n->list);
	hash_free(&n->by_device);
}
