/* SPDX-License-Identifier: GPL-2.0-only */
/* The requests that ended last; see recent.h. */
#include <assert.h>
#include <string.h>

#include "base/hint.h"
#include "base/histogram.h"
#include "findings/recent.h"

/* --- recent --------------------------------------------------------------- */

enum { NEAR = RECENT_NEAR, SLOT = RECENT_MAX - 1 };

static_assert(RECENT_MAX == 1 << RECENT_SLOT_BITS, "slots fill their bits");
static_assert(SERVED_MOMENTS == 1 << (RECENT_TIME_SHIFT - RECENT_SLOT_BITS),
	      "so do moments");
static_assert(SERVED_LATEST + 1 <= UINT64_MAX >> RECENT_TIME_SHIFT,
	      "times have room, and leave some");

/* greater than any key, and than any end of a way */
static const uint64_t NEVER = UINT64_MAX;

static void begin(struct recent *r)
{
	for (int m = 0; m < SERVED_MOMENTS; m++)
		r->next[m] = r->keys[m] + NEAR;
}

/* Moves all queues down by the least number taken from any. */
static void move_down(struct recent *r)
{
	size_t least = r->tail;

	for (int m = 0; m < SERVED_MOMENTS; m++) {
		size_t head = (size_t)(r->next[m] - r->keys[m]) - NEAR;

		least = head < least ? head : least;
	}
	for (int m = 0; m < SERVED_MOMENTS; m++) {
		uint64_t *first = r->keys[m] + NEAR - 1;

		r->next[m] -= least;
		memmove(first, first + least,
			(r->tail + 1 - least) * sizeof(*first));
	}
	r->tail -= (uint32_t)least;
}

static COLD void make_room(struct recent *r)
{
	if (!r->next[0])
		begin(r);
	else
		move_down(r);
}

/* the place for later, from low to place: after all that are not above it */
static uint64_t *place_of(uint64_t *low, uint64_t *place, uint64_t later)
{
	while (low < place) {
		uint64_t *middle = low + (place - low) / 2;

		if (*middle > later)
			place = middle;
		else
			low = middle + 1;
	}
	return low;
}

static APART void put_far(struct recent *r, enum served_moment m, uint64_t key)
{
	uint64_t *tail = r->keys[m] + NEAR + r->tail;
	uint64_t *place = place_of(r->next[m], tail, key | SLOT);

	memmove(place + 1, place, (size_t)(tail - place) * sizeof(*place));
	*place = key;
}

/* After all that are not later, whatever their slots. */
static inline void put(struct recent *r, enum served_moment m, uint64_t time,
		       uint32_t slot)
{
	uint64_t *place = r->keys[m] + NEAR + r->tail;
	uint64_t later = time << RECENT_TIME_SHIFT |
			 (uint32_t)m << RECENT_SLOT_BITS | SLOT;
	uint64_t key = later - (SLOT - slot);

	place[1] = NEVER;
	if (place[-NEAR] > later) {
		put_far(r, m, key);
		return;
	}
	for (; place[-1] > later; place--)
		place[0] = place[-1];
	*place = key;
}

void recent_add(struct recent *r, const struct served *s)
{
	uint32_t slot = (r->first + r->count++) % RECENT_MAX;

	r->slots[slot] = *s;
	if (UNLIKELY(r->tail % RECENT_KEYS == 0))
		make_room(r);
#pragma GCC unroll 4
	for (uint32_t m = 0; m < SERVED_MOMENTS; m++)
		put(r, m, s->at[m], slot);
	r->tail++;
}

void recent_drop(struct recent *r)
{
	r->first = (r->first + 1) % RECENT_MAX;
	r->count--;
}

/* --- flight --------------------------------------------------------------- */

void flight_free(struct flight *f)
{
	histogram_free(&f->flushes);
	histogram_free(&f->thinks);
}

int flight_flush_done(struct flight *f, const struct served *s, uint64_t now)
{
	if (!--f->flushing)
		f->flushed += now - f->flushes_from;
	return histogram_add(&f->flushes, served_device_time(s));
}

uint64_t flight_busy(const struct flight *f)
{
	uint64_t sum = 0;

	for (uint32_t depth = 1; depth <= f->most; depth++)
		sum += f->spent[depth];
	return sum;
}

bool flight_waits(const struct flight *f, uint64_t *full, uint64_t *room)
{
	struct wide all = { 0, 0 }, high = all, low = all;

	for (uint32_t depth = 0; depth <= f->most; depth++) {
		wide_add(&all, f->waited[depth]);
		if (10 * depth >= 9 * f->most)
			wide_add(&high, f->waited[depth]);
		if (2 * depth <= f->most)
			wide_add(&low, f->waited[depth]);
	}
	if (wide_is_zero(all))
		return false;
	*full = wide_divide(wide_times(high, 1000), all, NULL).low;
	*room = wide_divide(wide_times(low, 1000), all, NULL).low;
	return true;
}

uint32_t flight_median_depth(const struct flight *f)
{
	uint64_t all = 0, count = 0;
	uint32_t depth = 0;

	for (uint32_t i = 0; i < FLIGHT_DEPTHS; i++)
		all += f->depths[i].count;
	while (all && 2 * count < all)
		count += f->depths[depth++].count;
	return depth ? depth - 1 : 0;
}

struct flight_depth flight_between(const struct flight *f, uint32_t low,
				   uint32_t high, uint64_t *depths)
{
	struct flight_depth sum = { 0 };

	*depths = 0;
	for (uint32_t i = low; i <= high && i < FLIGHT_DEPTHS; i++) {
		sum.count += f->depths[i].count;
		sum.took += f->depths[i].took;
		sum.bytes += f->depths[i].bytes;
		*depths += f->depths[i].count * i;
	}
	return sum;
}
