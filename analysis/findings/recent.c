/* SPDX-License-Identifier: GPL-2.0-only */
/* The requests that ended last; see recent.h. */
#include <assert.h>
#include <string.h>

#include "analysis/findings/recent.h"

/* bits of a key, from the lowest: the slot, the moment, its time */
enum {
	SLOT_BITS = 10, MOMENT_BITS = 2, LOW_BITS = SLOT_BITS + MOMENT_BITS,
	SLOT = (1 << SLOT_BITS) - 1, MOMENT = (1 << MOMENT_BITS) - 1,
};

static_assert(RECENT_MAX == 1 << SLOT_BITS, "slots fill their bits");
static_assert(SERVED_MOMENTS == 1 << MOMENT_BITS, "so do moments");
static_assert(SERVED_LATEST >> (64 - LOW_BITS) <= 1, "times have room");

/* Where a key belongs, at most at high: behind all that are not later, whatever
 * slots they have.  Most belong near it. */
static uint32_t place_of(const struct recent *r, uint64_t key, uint32_t high)
{
	uint32_t low = r->head;

	key |= SLOT;
	for (uint32_t step = 1; step <= high - low; step *= 2) {
		if (r->keys[high - step] <= key) {
			low = high - step + 1;
			break;
		}
		high -= step;
	}
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (r->keys[middle] > key)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

static void make_room(struct recent *r)
{
	r->tail -= r->head;
	memmove(r->keys, r->keys + r->head, r->tail * sizeof(*r->keys));
	r->head = 0;
}

/* The moments of a request in their order, from the last on. */
static void insert(struct recent *r, const uint64_t keys[SERVED_MOMENTS])
{
	uint32_t high = r->tail;

#pragma GCC unroll 4
	for (uint32_t i = SERVED_MOMENTS; i--;) {
		uint64_t *key = r->keys + high;

		if (high > r->head && key[-1] > (keys[i] | SLOT)) {
			uint32_t place = place_of(r, keys[i], high - 1);

			key = r->keys + place;
			memmove(key + i + 1, key,
				(high - place) * sizeof(*key));
			high = place;
		}
		key[i] = keys[i];
	}
	r->tail += SERVED_MOMENTS;
}

void recent_add(struct recent *r, const struct served *s)
{
	uint32_t slot = (r->first + r->count++) % RECENT_MAX;
	uint64_t keys[SERVED_MOMENTS];

	r->slots[slot] = *s;
#pragma GCC unroll 4
	for (int m = 0; m < SERVED_MOMENTS; m++)
		keys[m] = s->at[m] << LOW_BITS | (uint32_t)m << SLOT_BITS |
			  slot;
	/* one whose begin was not seen began when it was issued */
	if (keys[SERVED_BEGUN] > keys[SERVED_WAITS]) {
		uint64_t begun = keys[SERVED_BEGUN];

		keys[SERVED_BEGUN] = keys[SERVED_WAITS];
		keys[SERVED_WAITS] = begun;
	}
	if (r->tail + SERVED_MOMENTS > RECENT_KEYS)
		make_room(r);
	insert(r, keys);
}

const struct served *recent_next(struct recent *r, uint64_t until,
				 enum served_moment *moment)
{
	uint64_t key, time;

	if (r->head == r->tail)
		return NULL;
	key = r->keys[r->head];
	time = key >> LOW_BITS;
	if (time > until)
		return NULL;
	r->head++;
	if (time > r->now)
		r->now = time;
	*moment = key >> SLOT_BITS & MOMENT;
	return &r->slots[key & SLOT];
}

void recent_drop(struct recent *r)
{
	r->first = (r->first + 1) % RECENT_MAX;
	r->count--;
}
