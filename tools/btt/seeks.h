/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Seeks: the distance from the end of a request to the start of the next, and
 * the count of each distance.
 *
 * The report lists modes in postorder of a red-black tree, into which distances
 * were inserted in order of appearance.  It is made at the end, and only if
 * there is more than one mode.
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
 * The count of each distance, and their order of appearance.
 *
 * On random I/O nearly every distance is new, and a lookup would cost more than
 * all else done for a request.  So distances are appended to a list.  When it
 * is full, equal ones are joined by a radix sort, whose cost per distance is
 * constant; the list grows if more than half of it remains.
 */

enum { DISTANCES_RECENT = 64 };

/* all zero: none */
struct distances {
	/* key: the distance; index: order of appearance.  Joined ones are
	 * first, in ascending order. */
	struct radix_item *list;
	uint32_t joined;
	uint32_t count, size;
	/* places of recent ones, so that the few distances of sequential I/O
	 * are not appended again */
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

static inline void distances_add(struct distances *d, uint64_t value)
{
	uint32_t slot = distances_slot(value);

	if (d->recent[slot].value == value && LIKELY(d->recent[slot].number))
		d->list[d->recent[slot].number - 1].times++;
	else
		distances_append(d, value);
}

/* --- seeks ---------------------------------------------------------------- */

/* the most frequent distances: their number, and the count of each */
struct modes {
	uint32_t count, times;
};

struct seeks {
	uint64_t start, end;	/* sectors of the last request */
	uint64_t count;		/* requests */
	double sum;		/* of all distances */
	struct distances distances;	/* until the end */

	/* at the end: the distances in ascending order, from 1 on, their counts
	 * as values; or only the mode, if there is just one */
	struct rb_node *nodes;
	uint32_t known;
	uint32_t root;
	struct modes modes;
	uint64_t median;	/* see find_median() */
};

/* an all-zero struct seeks is at sector 0 */
void seeks_free(struct seeks *s);

/*
 * Adds a request for sectors start to end; returns the signed distance to it.
 * absolute: from the end of the last one; else a request that touches the last
 * one is no seek, and distances back are from its start.
 */
int64_t seeks_add(struct seeks *s, uint64_t start, uint64_t end,
		  bool absolute);

static inline double seeks_mean(const struct seeks *s)
{
	return s->sum / (double)s->count;
}

/* After the last request, before the functions below.  Dies without memory. */
void seeks_end(struct seeks *s);

/* The number of the next mode after number after (0: the first), or 0.  In the
 * report's order, and in ascending order. */
uint32_t seeks_mode(const struct seeks *s, uint32_t after);
uint32_t seeks_greater_mode(const struct seeks *s, uint32_t after);

/* whether the report lists mode before lesser, which has a lesser distance */
bool seeks_mode_before(const struct seeks *s, uint32_t mode, uint32_t lesser);

#endif
