/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How often each distance has been, and which came first.
 *
 * On random I/O nearly each is a new one, and to look it up costs more than
 * all else that is done about a request.  So they are only written down, one
 * behind the other; equal ones are joined when the list is full, by putting
 * all in order, which takes the same few instructions for each however many
 * there are.  The list grows if more than half of it is left then.
 */
#ifndef TOOLS_BTT_DISTANCES_H
#define TOOLS_BTT_DISTANCES_H

#include <stdint.h>

#include "base/hash.h"
#include "base/hint.h"
#include "base/radix.h"

enum { DISTANCES_RECENT = 64 };

/* all zero: there are none */
struct distances {
	/* the distance is the key; which of two appeared first has the lesser
	 * index.  What has been joined is in front, in ascending order. */
	struct radix_item *list;
	uint32_t joined;
	uint32_t count, size;
	/* where some of the last are in the list, so that the few distances of
	 * sequential I/O are not written down again */
	struct {
		uint64_t value;
		uint32_t number;	/* from 1; 0: none */
	} recent[DISTANCES_RECENT];
};

void distances_free(struct distances *d);

/* slow path of distances_add(); dies without memory */
void distances_append(struct distances *d, uint64_t value);

static inline uint32_t distances_slot(uint64_t value)
{
	return hash_spread(value, 6);
}

/* one more of this distance */
static inline void distances_add(struct distances *d, uint64_t value)
{
	uint32_t slot = distances_slot(value);

	if (d->recent[slot].value == value && LIKELY(d->recent[slot].number))
		d->list[d->recent[slot].number - 1].times++;
	else
		distances_append(d, value);
}

/*
 * Joins what is equal: the list has each once then, in ascending order, and
 * indices are their numbers, from 0, in the order in which they appeared.
 */
void distances_join(struct distances *d);

#endif
