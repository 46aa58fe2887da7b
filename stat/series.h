/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Statistics by time: a row for each interval of equal length, for I/Os in the
 * order in which they end.  At most DEPTH_ROWS rows are kept until they are
 * returned.
 */
#ifndef STAT_SERIES_H
#define STAT_SERIES_H

#include <stdint.h>

#include "stat/depth.h"

struct depth_open;		/* stat/depth_rows.h */
struct histogram;		/* base/histogram.h */
struct series;

/*
 * A jump in time does not cause endless rows: SERIES_IDLE rows may be empty
 * (without ends), and SERIES_IDLE_MORE more for each row that is not, up to
 * SERIES_IDLE in reserve.  Other empty rows are left out.
 */
enum { SERIES_IDLE = 10000, SERIES_IDLE_MORE = 1000 };

struct series_row {
	uint64_t left_out;	/* empty rows left out before this one */
	uint64_t ios;		/* ended in it */
	uint64_t bytes;
	uint64_t errors;
	const struct histogram *spans;	/* of these I/Os; series.c owns it */
	struct depth_row depth;	/* of requests; has the times of the row */
};

/* interval: ns, not 0; the first starts at from.  A row waits for its open
 * requests until wait later rows (0 to 63) are over.  0 and *s, or -ENOMEM. */
int series_new(struct series **s, uint64_t from, uint64_t interval,
	       unsigned int wait);

/* Makes rows include requests still in flight.  settled then only needs to be
 * at or before the start of requests that are neither in flight nor added. */
void series_watch_open(struct series *s, const struct depth_open *open);

/*
 * Returns 1 and the next row that is complete at now, valid until the next
 * call; 0 if there is none; or -ENOMEM.  All requests that started before
 * settled were added; 0 if unknown.
 */
int series_next(struct series *s, uint64_t settled, uint64_t now,
		struct series_row *row);

/* The same for the remaining rows when the trace ends at end, which cuts the
 * last.  With 0, row->left_out counts the empty rows after the last. */
int series_last(struct series *s, uint64_t end, struct series_row *row);

/*
 * Adds an I/O (span in ns, or UINT64_MAX if unknown) or a request at its
 * device.  Ends should be at times for which series_next() has returned 0.  If
 * late, an I/O counts in the oldest row, a request not at all; after the rows
 * that fit, it counts in the last.  Ends before the series are ignored.  0, or
 * -ENOMEM.
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
