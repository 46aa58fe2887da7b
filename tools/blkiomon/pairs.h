/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Issues and the completions that belong to them.
 *
 * Two events belong together when they name the same device, sector, direction
 * (read, write) and kind (file system, packet command).  They come in live
 * order (arrivals.h), but some are late, so times decide which is the older.
 * An older issue and a younger completion are a match.  Any other two are a
 * mismatch: the older one will never find its counterpart, the younger one goes
 * on waiting.
 *
 * At most PAIRS_MAX events wait.  The one that has waited longest is forgotten
 * then, so that memory is bounded on a trace of issues alone.
 */
#ifndef TOOLS_BLKIOMON_PAIRS_H
#define TOOLS_BLKIOMON_PAIRS_H

#include <stdint.h>
#include <stdio.h>

#include "record/record.h"

/* --- pairs ---------------------------------------------------------------- */

struct pairs;

enum { PAIRS_MAX = 262144 };

/* an event, and which record of the stream it was, from 0 */
struct seen {
	struct event ev;	/* payload and lane are gone */
	uint64_t order;
};

enum pairing { PAIR_WAITS, PAIR_MATCH, PAIR_MISMATCH };

/* good until the next pairs_add() */
struct pair {
	const struct event *older, *younger;
	uint64_t older_order, younger_order;
};

/* NULL: out of memory */
struct pairs *pairs_new(void);

/*
 * Takes an issue or a completion in, which stays the caller's.  PAIR_WAITS:
 * there is nothing to go with it yet; otherwise *p is what has been found.
 * -ENOMEM.
 */
int pairs_add(struct pairs *ps, const struct event *ev, uint64_t order,
	      struct pair *p);

/*
 * Calls show for all that still wait: by the last seven bits of their
 * sectors, and then those that came last first.  0 or -ENOMEM.
 */
int pairs_leftovers(const struct pairs *ps, void *ctx,
		    void (*show)(void *ctx, const struct seen *s));

/* how many wait, and how many have been forgotten */
uint64_t pairs_waiting(const struct pairs *ps);
uint64_t pairs_forgotten(const struct pairs *ps);

/* NULL is fine */
void pairs_free(struct pairs *ps);

/* --- debug ---------------------------------------------------------------- */

/*
 * What -D writes: events that did not find together.
 */

struct pair;			/* tools/blkiomon/pairs.h */
struct seen;

/* what is in the last line */
struct counts {
	uint64_t leftovers, matches, mismatches, driver_data, records;
};

/* All write to out, whose error state shows a failure. */
void debug_mismatch(FILE *out, const struct pair *p);
void debug_leftover(FILE *out, const struct seen *s);
void debug_counts(FILE *out, const struct counts *c);

#endif
