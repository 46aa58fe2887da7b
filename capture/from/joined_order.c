/* SPDX-License-Identifier: GPL-2.0-only */
/* Events of joined I/Os in order; see joined_order.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/hint.h"
#include "capture/from/joined_order.h"

enum {
	FIRST_SIZE = 64,
	FEW = 48,		/* entries that are sorted by inserting them */
	DIGIT = 11,		/* bits that one pass sorts by */
	DIGITS = 1 << DIGIT,
};

struct kept {
	struct joined_events events;
	uint32_t left;		/* events that are held */
};

void joined_order_init(struct joined_order *o)
{
	*o = (struct joined_order){ .ios.item_size = sizeof(struct kept) };
	for (unsigned int i = 0; i < PHASE_COUNT; i++)
		o->first[i] = UINT64_MAX;
}

void joined_order_free(struct joined_order *o)
{
	for (unsigned int i = 0; i < PHASE_COUNT; i++)
		free(o->lines[i].entries);
	free(o->other);
	pool_free(&o->ios);
}

static struct kept *kept_get(const struct joined_order *o, uint32_t io)
{
	return pool_get(&o->ios, io);
}

/* --- lines ------------------------------------------------------------------- */

/* Makes room for one more: at the front, where events have left, if these are
 * half of the line. */
static COLD int line_grow(struct joined_line *l)
{
	uint32_t count = l->tail - l->head;
	uint32_t size = l->size ? 2 * l->size : FIRST_SIZE;
	struct joined_entry *entries = l->entries;

	if (l->head >= count && l->size) {
		memcpy(entries, entries + l->head, count * sizeof(*entries));
	} else {
		entries = reallocarray(entries, size, sizeof(*entries));
		if (!entries)
			return -ENOMEM;
		memmove(entries, entries + l->head, count * sizeof(*entries));
		l->size = size;
	}
	l->entries = entries;
	l->head = 0;
	l->tail = count;
	return 0;
}

static inline int line_add(struct joined_line *l, uint64_t time, uint32_t io)
{
	if (UNLIKELY(l->tail == l->size) && line_grow(l))
		return -ENOMEM;
	if (l->tail != l->head && l->entries[l->tail - 1].time > time)
		l->disordered = true;
	l->entries[l->tail++] = (struct joined_entry){ time, io };
	return 0;
}

static uint64_t line_first(const struct joined_line *l)
{
	return l->head == l->tail ? UINT64_MAX : l->entries[l->head].time;
}

/* --- sorting ----------------------------------------------------------------- */

static void sort_few(struct joined_entry *e, uint32_t n)
{
	for (uint32_t i = 1; i < n; i++) {
		struct joined_entry one = e[i];
		uint32_t at = i;

		for (; at && e[at - 1].time > one.time; at--)
			e[at] = e[at - 1];
		e[at] = one;
	}
}

/* one pass: from `from` to `to`, by a digit of the time after `least` */
static void sort_by(const struct joined_entry *from, struct joined_entry *to,
		    uint32_t n, uint64_t least, unsigned int shift)
{
	uint32_t at[DIGITS] = { 0 }, sum = 0;

	for (uint32_t i = 0; i < n; i++)
		at[(from[i].time - least) >> shift & (DIGITS - 1)]++;
	for (uint32_t d = 0; d < DIGITS; d++) {
		uint32_t count = at[d];

		at[d] = sum;
		sum += count;
	}
	for (uint32_t i = 0; i < n; i++)
		to[at[(from[i].time - least) >> shift & (DIGITS - 1)]++] =
			from[i];
}

/* Times differ by seconds at most, which takes three passes. */
static void sort_many(struct joined_entry *e, struct joined_entry *other,
		      uint32_t n)
{
	uint64_t least = e[0].time, most = least;
	struct joined_entry *from = e, *to = other, *turn;

	for (uint32_t i = 1; i < n; i++) {
		least = e[i].time < least ? e[i].time : least;
		most = e[i].time > most ? e[i].time : most;
	}
	for (unsigned int shift = 0; shift < 64 && (most - least) >> shift;
	     shift += DIGIT) {
		sort_by(from, to, n, least, shift);
		turn = from;
		from = to;
		to = turn;
	}
	if (from != e)
		memcpy(e, from, n * sizeof(*e));
}

static int line_sort(struct joined_order *o, struct joined_line *l)
{
	uint32_t n = l->tail - l->head;

	if (n > FEW && o->other_size < n) {
		free(o->other);
		o->other = calloc(l->size, sizeof(*o->other));
		o->other_size = o->other ? l->size : 0;
		if (!o->other)
			return -ENOMEM;
	}
	if (n > FEW)
		sort_many(l->entries + l->head, o->other, n);
	else
		sort_few(l->entries + l->head, n);
	l->disordered = false;
	return 0;
}

/* --- events ------------------------------------------------------------------ */

int joined_order_add(struct joined_order *o, const struct joined_events *e,
		     uint32_t phases)
{
	uint32_t io = pool_add(&o->ios);
	struct kept *kept;
	int err = 0;

	if (io == POOL_NONE)
		return -ENOMEM;
	if (!phases) {
		pool_remove(&o->ios, io);
		return 0;
	}
	kept = kept_get(o, io);
	kept->events = *e;
	kept->left = 0;
	for (; !err && phases; phases &= phases - 1) {
		enum joined_phase p = (enum joined_phase)__builtin_ctz(phases);

		err = line_add(&o->lines[p], joined_events_time(e, p), io);
		kept->left += !err;
	}
	o->held += kept->left;
	if (!kept->left)
		pool_remove(&o->ios, io);
	return err;
}

int joined_order_until(struct joined_order *o, uint64_t time)
{
	int err = 0;

	if (time <= o->until)
		return 0;
	for (unsigned int i = 0; !err && i < PHASE_COUNT; i++) {
		if (o->lines[i].disordered)
			err = line_sort(o, &o->lines[i]);
		o->first[i] = line_first(&o->lines[i]);
	}
	o->until = time;
	return err;
}

const struct joined_events *joined_order_next(struct joined_order *o,
					      enum joined_phase *phase,
					      uint64_t *time)
{
	unsigned int first = 0;
	struct joined_line *l;
	struct kept *kept;
	uint32_t io;

	/* of equal times, the earlier phase is first */
	for (unsigned int i = 1; i < PHASE_COUNT; i++)
		first = o->first[i] < o->first[first] ? i : first;
	if (o->first[first] >= o->until)
		return NULL;
	*time = o->first[first];
	*phase = first;
	l = &o->lines[first];
	io = l->entries[l->head++].io;
	o->first[first] = line_first(l);
	kept = kept_get(o, io);
	o->held--;
	if (!--kept->left)
		pool_remove(&o->ios, io);
	return &kept->events;
}
