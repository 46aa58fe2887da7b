/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A trace whose events are all kept, so that they can be changed, left out,
 * and given to a joiner by hand.
 */
#ifndef TESTS_REQUESTS_TRACE_H
#define TESTS_REQUESTS_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "record/record.h"

struct check;			/* tests/requests/check.h */
struct joiner_bounds;		/* request/joiner.h */
struct joiner_counts;
struct io;			/* request/io.h */
struct kept;			/* record/kept.h */
struct reader;			/* run/reader.h */

struct trace {
	struct reader *reader;	/* owns what events' lanes point to */
	struct kept *kept;
	struct event *events;	/* with the payloads of kept */
	size_t count;
};

/* what is missing beside an event, as bits */
enum { HOLE_BEGINS = 1, HOLE_ENDS = 2 };

/* a run of events, as it goes to a joiner */
struct run {
	struct event *events;
	uint8_t *holes;		/* of each event: it begins behind, or ends
				 * in front of it */
	size_t count;
};

/* what a run gives: a record, good until it returns */
typedef void run_record(void *ctx, const struct io *io);

/*
 * Adds what there is in a directory to a reader: devices in alphabetical
 * order, or else the stream pipe.bin.  Dies when there is nothing.
 */
void trace_add(struct reader *r, const char *dir);

/* all events of a directory; dies when they cannot be read */
void trace_load(struct trace *t, const char *dir);
void trace_free(struct trace *t);

/* room for so many events, all without holes; dies without memory */
void run_make(struct run *run, size_t events);
void run_free(struct run *run);

/*
 * Has the holes that the numbers of its events show.  Notes have no numbers.
 * Another CPU or device has other numbers.
 */
void run_find_holes(struct run *run);

/*
 * Joins it.  Each event and each record is shown to the check, unless it is
 * NULL, and each record given to record, unless that is NULL.
 */
void run_join(const struct run *run, const struct joiner_bounds *bounds,
	      struct check *c, run_record *record, void *ctx);

#endif
