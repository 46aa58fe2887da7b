/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Seeks: how far each request begins from where the one before ended, and how
 * often each distance has been.
 *
 * The order of modes in the report is that of a red-black tree in which the
 * distances went as they first appeared, walked children first.  It is only
 * made in the end, and only where there is more than one mode.
 */
#ifndef TOOLS_BTT_SEEKS_H
#define TOOLS_BTT_SEEKS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/hash.h"
#include "base/hint.h"
#include "base/radix.h"
#include "tools/btt/rbtree.h"

/* --- distances ------------------------------------------------------------ */

/*
 * How often each distance has been, and which came first.
 *
 * On random I/O nearly each is a new one, and to look it up costs more than
 * all else that is done about a request.  So they are only written down, one
 * behind the other; equal ones are joined when the list is full, by putting
 * all in order, which takes the same few instructions for each however many
 * there are.  The list grows if more than half of it is left then.
 */

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

/* --- seeks ---------------------------------------------------------------- */

/* the most frequent distances: how many, and how often each has been */
struct modes {
	uint32_t count, times;
};

struct seeks {
	uint64_t start, end;	/* sectors of the last request */
	uint64_t count;		/* requests */
	double sum;		/* of all distances */
	struct distances distances;	/* until the end */

	/* of the end: the distances, numbered from 1 in their order, the value
	 * of each how many requests have been that far; or the mode alone, if
	 * there is just one */
	struct rb_node *nodes;
	uint32_t known;
	uint32_t root;
	struct modes modes;
	uint64_t median;	/* 1.3.0: what it takes for one; see there */
};

/* an all-zero struct seeks is at sector 0 */
void seeks_free(struct seeks *s);

/*
 * A request for sectors start to end; returns the way there, signed, in
 * sectors.  absolute: from the end of the last; else a request that touches
 * the last is no seek, and the way back is from its start.
 */
int64_t seeks_add(struct seeks *s, uint64_t start, uint64_t end,
		  bool absolute);

static inline double seeks_mean(const struct seeks *s)
{
	return s->sum / (double)s->count;
}

/*
 * After the last request: makes what is known in the end, which nothing below
 * can do without.  Dies without memory.
 */
void seeks_end(struct seeks *s);

/*
 * The mode behind number after, or the first behind 0, by the number of its
 * distance; 0: there is none.  In the order in which the report lists them,
 * and in that of the distances.
 */
uint32_t seeks_mode(const struct seeks *s, uint32_t after);
uint32_t seeks_greater_mode(const struct seeks *s, uint32_t after);

/* whether a mode is listed before another, of a lesser distance */
bool seeks_mode_before(const struct seeks *s, uint32_t mode, uint32_t lesser);

#endif
