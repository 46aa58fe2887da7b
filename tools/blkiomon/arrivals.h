/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Issues and completions in live order (run/reorder.h), as they arrive.
 *
 * A pipe brings what each CPU has seen in blocks, so an event is held until the
 * newest time read is REORDER_HOLD later, until the input has been silent for
 * that long or has ended, or until more than REORDER_EVENTS are held.  It is
 * what run/reorder does for all events; here only those that can make a pair
 * are held, each keeps the number of its record, and the clock has a say, too:
 * CPUs' files one after the other, `cat sda.blktrace.*`, bring minutes of trace
 * time in an instant.  So an event is held for one tick of the clock at least.
 */
#ifndef TOOLS_BLKIOMON_ARRIVALS_H
#define TOOLS_BLKIOMON_ARRIVALS_H

#include <stdbool.h>
#include <stdint.h>

enum { ARRIVALS_TICK = 250 };	/* ms */

struct arrivals;
struct event;			/* record/record.h */
struct seen;			/* tools/blkiomon/pairs.h */

/*
 * live: more is still to be written.  Nothing waits in front of a file: there,
 * events are held until too many are.  NULL: out of memory.
 */
struct arrivals *arrivals_new(bool live);

/* holds a copy of *ev, record number order of the stream; 0 or -ENOMEM */
int arrivals_add(struct arrivals *a, const struct event *ev, uint64_t order);

/* ARRIVALS_TICK has passed on the clock since the last call */
void arrivals_tick(struct arrivals *a);

/* the input is silent, or has ended: all that is held may go */
void arrivals_flush(struct arrivals *a);

/* whether *s is next, good until the next call for *a; else no other may go
 * yet */
bool arrivals_next(struct arrivals *a, const struct seen **s);

/* how many arrived after one that should have followed had gone */
uint64_t arrivals_late(const struct arrivals *a);

/* NULL is fine */
void arrivals_free(struct arrivals *a);

#endif
