/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Statistics by time: a row for each interval of equal length, for ios in the
 * order in which they end.  Only rows that are not handed out yet are kept, a
 * few dozen at most.
 */
#ifndef STAT_SERIES_H
#define STAT_SERIES_H

#include <stdint.h>

#include "stat/depth.h"

struct depth_open;		/* stat/depth_rows.h */
struct histogram;		/* base/histogram.h */
struct series;

/*
 * A jump in time is no endless table: there can be SERIES_IDLE rows in which
 * nothing ended, and so many more for each row in which something did, of which
 * at most SERIES_IDLE wait.  Others are left out.
 */
enum { SERIES_IDLE = 10000, SERIES_IDLE_MORE = 1000 };

struct series_row {
	uint64_t left_out;	/* rows before this one */
	uint64_t ios;		/* that ended in it */
	uint64_t bytes;
	uint64_t errors;
	const struct histogram *spans;	/* of these ios; series.c's */
	struct depth_row depth;	/* of requests; and when the row is */
};

/*
 * Intervals of so many ns, not 0, the first begins at from.  A row waits for
 * requests which began in it and are not over until so many rows behind it are
 * over, too; 0 to 63.  0 and *s, or -ENOMEM.
 */
int series_new(struct series **s, uint64_t from, uint64_t interval,
	       unsigned int wait);

/*
 * Rows have what is under way and not over when they are handed out, too: then
 * settled needs to be no earlier than what is neither that, nor was added.
 */
void series_watch_open(struct series *s, const struct depth_open *open);

/*
 * 1: *row is the next that is complete at now, good until the next call; 0:
 * there is none; -ENOMEM.  All requests that began before settled were added;
 * 0 if that is not known.
 */
int series_next(struct series *s, uint64_t settled, uint64_t now,
		struct series_row *row);

/* The same for those that are left, when the trace is over at end.  The last
 * row ends there, and row->left_out tells with the 0 how many are behind it. */
int series_last(struct series *s, uint64_t end, struct series_row *row);

/*
 * What ended at a time for which series_next() has returned 0: an io, whose
 * span is UINT64_MAX if it has none, and what it may have been part of, a
 * request at its device.  What ended before the first row that is kept is late:
 * an io counts in that row, a request in none; what ended before the series
 * begins is left out.  Behind the rows that there is room for, as
 * series_next() was not asked, it counts in the last of them.  0, or -ENOMEM.
 */
int series_add(struct series *s, uint64_t end, uint64_t span, uint64_t bytes,
	       bool error);
int series_add_request(struct series *s, uint64_t issued, uint64_t served);

/* as depth_rows_doubt() and depth_rows_doubt_span() */
void series_doubt(struct series *s, uint64_t from);
void series_doubt_span(struct series *s, uint64_t from, uint64_t to);

/* frees s; NULL is fine */
void series_free(struct series *s);

#endif
