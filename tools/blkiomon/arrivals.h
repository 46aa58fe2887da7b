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
struct event;			/* record/record.h */
struct seen;			/* tools/blkiomon/pairs.h */

/* live: the input is still written; else holds events until there are too many.
 * NULL: no memory */
struct arrivals *arrivals_new(bool live);

/* holds a copy of *ev, record number order of the stream; 0 or -ENOMEM */
int arrivals_add(struct arrivals *a, const struct event *ev, uint64_t order);

/* ARRIVALS_TICK has passed on the clock since the last call */
void arrivals_tick(struct arrivals *a);

/* the input is silent, or has ended: releases all */
void arrivals_flush(struct arrivals *a);

/* whether an event may go: *s, valid until the next call for *a */
bool arrivals_next(struct arrivals *a, const struct seen **s);

/* events that arrived after a later one had gone */
uint64_t arrivals_late(const struct arrivals *a);

/* a may be NULL */
void arrivals_free(struct arrivals *a);

#endif
