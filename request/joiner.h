/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Joins events into ios: events in time order in, records out, each when its
 * last event has come.  Only what is open is kept, in tables of fixed bounds,
 * so memory does not grow with the trace.
 *
 * It knows no file, no text and no option.  The rules are in doc/requests.md.
 */
#ifndef REQUEST_JOINER_H
#define REQUEST_JOINER_H

#include <stdbool.h>
#include <stdint.h>

#include "request/bounds.h"
#include "request/leftover.h"

struct device;			/* run/device.h */
struct event;			/* record/record.h */
struct io;			/* request/io.h */
struct joiner;

/* 0 and *j, or -ENOMEM */
int joiner_new(struct joiner **j, const struct joiner_bounds *bounds);

/*
 * From now on records have seek, which takes 8 bytes for each request that is
 * under way at once.  Before the first event; 0 or -ENOMEM.
 */
int joiner_want_seeks(struct joiner *j);

/*
 * All records that the last event has completed are taken before the next.  0;
 * -ENOMEM: a device that is new has no room, and is left out.
 */
int joiner_event(struct joiner *j, const struct event *ev);

/*
 * Events of a device are missing: from here on (begins), or up to here.  To be
 * called between the events on both sides of the hole.  0 or -ENOMEM.
 */
int joiner_gap(struct joiner *j, uint16_t origin, uint32_t device,
		bool begins);

/*
 * The trace ended at end, ns, not before its last event; or, if it goes on, what
 * is read of it.  What is open leaves, with the age that it has then.
 */
void joiner_end(struct joiner *j, uint64_t end, bool goes_on);

/* 1: *io is the next record, good until the next call; 0: none is complete */
int joiner_next(struct joiner *j, const struct io **io);

/*
 * The next io that is open, in the order of birth, as far as it is known: *io
 * is good until the next call of this or an event.  *at, which 0 begins, leads from one
 * to the next as long as there is no event between them.  false: that was all.
 */
bool joiner_open(struct joiner *j, uint32_t *at, const struct io **io);

/*
 * The time of the first event of the oldest io that is not handed out, or a
 * little before; IO_NONE: there is none.  What is handed out later began then
 * at the earliest.
 */
uint64_t joiner_oldest(const struct joiner *j);

/* The same of those that have ended and are not handed out: what began before
 * that was handed out, or is open. */
uint64_t joiner_settled(const struct joiner *j);

/* of the leftovers the JOINER_GHOST_C's of a device */
uint64_t joiner_ghosts(const struct joiner *j, const struct device *disk);

const struct joiner_counts *joiner_counts(const struct joiner *j);

/* frees j; NULL is fine */
void joiner_free(struct joiner *j);

#endif
