/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Joins events into I/Os: takes events in time order, and returns a record when
 * an I/O's last event has come.  Tables for open I/Os are bounded, so memory
 * does not grow with the trace.
 *
 * The rules are in doc/requests.md.
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
struct level_watcher;		/* request/level_watcher.h */

/* 0 and *j, or -ENOMEM */
int joiner_new(struct joiner **j, const struct joiner_bounds *bounds);

/* Gives records a seek; takes 8 bytes per open request.  Call before the first
 * event.  0 or -ENOMEM. */
int joiner_want_seeks(struct joiner *j);

/* Reports to w, which must stay valid, with a clock in now; gives records a level, and takes 4 bytes
 * per open I/O.  Call before the first event.  0 or -ENOMEM. */
int joiner_watch_levels(struct joiner *j, const struct level_watcher *w);

/* Take all records that an event has completed before the next.  0; -ENOMEM: no
 * room for a new device, which is ignored. */
int joiner_event(struct joiner *j, const struct event *ev);

/* Reports missing events of a device: from here on (begins), or up to here.
 * Call it between the events on both sides of the hole.  0 or -ENOMEM. */
int joiner_gap(struct joiner *j, uint16_t origin, uint32_t device,
		bool begins);

/* Ends the trace at end, ns, not before the last event; or, if it continues,
 * the part that is read.  Closes open I/Os, with their age then. */
void joiner_end(struct joiner *j, uint64_t end, bool continues);

/* the latest id given, and sets what ids count from; between events */
uint64_t joiner_ids(const struct joiner *j);
void joiner_count_from(struct joiner *j, uint64_t latest);

/* Makes records there from now on, which is the caller's; NULL: in the joiner. */
void joiner_make_at(struct joiner *j, struct io *at);

/* 1: *io is the next record, valid until the next call; 0: none */
int joiner_next(struct joiner *j, const struct io **io);

/*
 * The next open I/O, in order of first events, as far as known: *io is valid
 * until the next call or event.  *at, 0 at first, iterates while there is no
 * event.  false: no more.
 */
bool joiner_open(struct joiner *j, uint32_t *at, const struct io **io);

/* First event of the oldest I/O without a record yet, or somewhat earlier;
 * IO_NONE: none.  Records returned later start then or later. */
uint64_t joiner_oldest(const struct joiner *j);

/*
 * The same of ended I/Os only: those that started earlier are returned or open.
 */
uint64_t joiner_settled(const struct joiner *j);

/* unmatched completions (JOINER_GHOST_C) of a device */
uint64_t joiner_ghosts(const struct joiner *j, const struct device *disk);

const struct joiner_counts *joiner_counts(const struct joiner *j);

/* frees j; NULL is fine */
void joiner_free(struct joiner *j);

#endif
