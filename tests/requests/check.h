/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What must hold for a joiner's records, whatever its events were: phases add
 * up, each event and each completed byte is told once, and what a record
 * refers to is there.
 *
 * It keeps a few numbers of each record, so it grows with the trace.
 */
#ifndef TESTS_REQUESTS_CHECK_H
#define TESTS_REQUESTS_CHECK_H

#include <stdbool.h>
#include <stdint.h>

struct check;
struct event;			/* record/record.h */
struct io;			/* request/io.h */
struct joiner_counts;		/* request/joiner.h */

/*
 * NULL: no memory.  whole: the events are as a kernel wrote them, so that a
 * request has the bytes of its ios, and a whole those of its parts.
 */
struct check *check_new(bool whole);

/* an event that is now given to the joiner */
void check_event(struct check *c, const struct event *ev);

/* a record that the joiner has given */
void check_record(struct check *c, const struct io *io);

/* what joiner_oldest() said behind an event, or behind a record */
void check_oldest(struct check *c, uint64_t oldest);

/* all records have been given */
void check_end(struct check *c, const struct joiner_counts *counts);

/* the first thing that did not hold, or NULL; good as long as c */
const char *check_fault(const struct check *c);

uint64_t check_events(const struct check *c);
uint64_t check_records(const struct check *c);

/* frees c; NULL is fine */
void check_free(struct check *c);

#endif
