/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Issues and completions in live order (run/reorder.h), as they arrive.
 *
 * A pipe has CPUs' events in blocks, so an event is held until the newest time
 * read is REORDER_HOLD later, the input has been silent for that long or has
 * ended, or more than REORDER_EVENTS are held.  Unlike run/reorder, this holds
 * only events that can make a pair, with their records' numbers, and for at
 * least one tick of the clock, as CPUs' files one after the other (`cat
 * sda.blktrace.*`) have minutes of trace time in an instant.
 */
#ifndef TOOLS_BLKIOMON_ARRIVALS_H
#define TOOLS_BLKIOMON_ARRIVALS_H

#include <stdbool.h>
#include <stdint.h>

enum { ARRIVALS_TICK = 250 };	/* ms */

struct arrivals;
struct seen;			/* tools/blkiomon/pairs.h */

/* live: the input is still written; else holds events until there are too many.
 * whole: of struct seen_whole.  NULL: no memory */
struct arrivals *arrivals_new(bool live, bool whole);

/*
 * Holds an event of that time and CPU, record number order of the stream.  The
 * caller sets all that follows time and order before the next call.  NULL: no
 * memory.
 */
struct seen *arrivals_add(struct arrivals *a, uint64_t time, uint64_t order,
			  uint32_t cpu);

/* ARRIVALS_TICK has passed on the clock since the last call */
void arrivals_tick(struct arrivals *a);

/* the input is silent, or has ended: releases all */
void arrivals_flush(struct arrivals *a);

/* the next event that may go, valid until the next call for *a, or NULL */
const struct seen *arrivals_next(struct arrivals *a);

/* events that arrived after a later one had gone */
uint64_t arrivals_late(const struct arrivals *a);

/* a may be NULL */
void arrivals_free(struct arrivals *a);

#endif
