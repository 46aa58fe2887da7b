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

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/hint.h"
#include "record/record.h"

/* --- events ---------------------------------------------------------------- */

/*
 * An issue or a completion as far as it makes pairs: 262,144 are held, so their
 * size decides how fast that is.
 */
struct seen {
	uint64_t time, sector;	/* these and more as in struct event */
	uint32_t device, bytes;
	uint32_t order;		/* lower half of the record's number */
	uint16_t categories;	/* 0 to 15 */
};

/* all of it, for -D: then each struct seen that is passed is one of these */
struct seen_whole {
	struct seen seen;
	struct event ev;	/* payload and lane are gone */
	uint64_t order;		/* which record of the stream, from 0 */
};

static inline size_t seen_size(bool whole)
{
	return whole ? sizeof(struct seen_whole) : sizeof(struct seen);
}

static inline void seen_copy(void *to, const struct seen *from, bool whole)
{
	if (UNLIKELY(whole))
		memcpy(to, from, sizeof(struct seen_whole));
	else
		memcpy(to, from, sizeof(*from));
}

/* --- pairs ---------------------------------------------------------------- */

struct pairs;

enum { PAIRS_MAX = 262144 };

enum pairing { PAIR_WAITS, PAIR_MATCH, PAIR_MISMATCH };

/* good until the next pairs_add() */
struct pair {
	const struct seen *older, *younger;
};

/* whole: of struct seen_whole.  NULL: out of memory */
struct pairs *pairs_new(bool whole);

/*
 * Takes an issue or a completion in, which stays the caller's.  PAIR_WAITS:
 * there is nothing to go with it yet; otherwise *p is what has been found.
 * -ENOMEM.
 */
int pairs_add(struct pairs *ps, const struct seen *s, struct pair *p);

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
 * What -D writes: events that did not find together, which are whole.
 */

/* what is in the last line */
struct counts {
	uint64_t leftovers, matches, mismatches, driver_data, records;
};

/* All write to out, whose error state shows a failure. */
void debug_mismatch(FILE *out, const struct pair *p);
void debug_leftover(FILE *out, const struct seen *s);
void debug_counts(FILE *out, const struct counts *c);

#endif
