/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Seeks: how far each request begins from where the one before ended, and how
 * often each distance has been.
 *
 * The distances are kept in a red-black tree in which they went as they first
 * appeared, since the order of modes in the report is that tree's, walked
 * children first.
 */
#ifndef TOOLS_BTT_SEEKS_H
#define TOOLS_BTT_SEEKS_H

#include <stdbool.h>
#include <stdint.h>

#include "tools/btt/rbtree.h"

struct seeks {
	uint64_t start, end;	/* sectors of the last request */
	uint64_t count;		/* requests */
	double sum;		/* of all distances */

	/* the distances, numbered from 1 as they appeared; the value of each
	 * is how many requests have been that far */
	struct rb_node *nodes;
	uint32_t known, size;
	uint32_t root;
	uint32_t last;		/* the one that came last */
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

/* 1.3.0: what it takes for the median; see there */
uint64_t seeks_median(const struct seeks *s);

/* the most frequent distances: how many, and how often each has been */
struct modes {
	uint32_t count, times;
};

struct modes seeks_modes(const struct seeks *s);

/*
 * The mode behind number after, or the first behind 0, by the number of its
 * distance; 0: there is none.  In the order in which the report lists them,
 * and in that of the distances.
 */
uint32_t seeks_mode(const struct seeks *s, struct modes m, uint32_t after);
uint32_t seeks_greater_mode(const struct seeks *s, struct modes m,
			    uint32_t after);

/* whether a mode is listed before another, of a lesser distance */
bool seeks_mode_before(const struct seeks *s, uint32_t mode, uint32_t lesser);

#endif
