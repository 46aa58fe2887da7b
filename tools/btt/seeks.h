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

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/hash.h"
#include "base/hint.h"
#include "base/radix.h"
#include "tools/btt/rbtree.h"

struct conveyor;		/* base/conveyor.h */
struct counting_parcel;		/* seeks.c */

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

/* --- counting ------------------------------------------------------------- */

/*
 * A thread that adds distances, a ninth of all work: the list is far larger than any
 * cache, and nothing looks at it before the end.
 */

enum { COUNTING_FRONT = 64 };

struct counting_item {
	struct distances *to;
	uint64_t value;
} __attribute__((aligned(16)));

struct counting {
	struct conveyor *conveyor;
	struct counting_parcel *filling;
	uint32_t used;		/* of front[] */
	struct counting_item front[COUNTING_FRONT];
	pthread_t thread;
};

/* Starts the thread.  0 and *c, -ENOMEM, or -EAGAIN: no thread. */
int counting_start(struct counting **c);

/* slow path of counting_add(): front[] is full */
void counting_pass_on(struct counting *c);

static inline void counting_add(struct counting *c, struct distances *to,
				uint64_t value)
{
	c->front[c->used++] = (struct counting_item){ to, value };
	if (UNLIKELY(c->used == COUNTING_FRONT))
		counting_pass_on(c);
}

/* Waits until all are added, and ends the thread.  NULL is fine */
void counting_end(struct counting *c);

/* --- seeks ---------------------------------------------------------------- */

/* the most frequent distances: their number, and the count of each */
struct modes {
	uint32_t count, times;
};

struct seeks {
	uint64_t start, end;	/* sectors of the last request */
	uint64_t count;		/* requests */
	double sum;		/* of all distances */
	BETWEEN_THREADS(before);
	struct distances distances;	/* until the end */
	BETWEEN_THREADS(after);

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
 * one is no seek, and distances back are from its start.  c: counts it, or NULL.
 */
int64_t seeks_add(struct seeks *s, uint64_t start, uint64_t end,
		  bool absolute, struct counting *c);

static inline double seeks_mean(const struct seeks *s)
{
	return s->sum / (double)s->count;
}

/* After the last request and counting_end(), before the functions below.  Dies without memory. */
void seeks_end(struct seeks *s);

/* The number of the next mode after number after (0: the first), or 0.  In the
 * report's order, and in ascending order. */
uint32_t seeks_mode(const struct seeks *s, uint32_t after);
uint32_t seeks_greater_mode(const struct seeks *s, uint32_t after);

/* whether the report lists mode before lesser, which has a lesser distance */
bool seeks_mode_before(const struct seeks *s, uint32_t mode, uint32_t lesser);

#endif
