/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A row per interval, printed as soon as the interval is over.
 */
#ifndef TOOLS_BTSTAT_INTERVALS_H
#define TOOLS_BTSTAT_INTERVALS_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "emit/series_text.h"
#include "emit/sink.h"
#include "tools/btstat/lists.h"

struct buf;			/* base/buf.h */
struct depth_open;		/* stat/depth_rows.h */
struct io;			/* request/io.h */
struct look;			/* base/look.h */
struct series;			/* stat/series.h */
struct stat_options;		/* tools/btstat/options.h */

struct intervals {
	struct series *series;
	struct percentile_list percentiles;
	struct series_text text;
	struct sink sink;
	bool csv, headed;	/* the heading has been written */
	bool any_q;		/* an I/O started with a Q */
	uint64_t from;		/* of the first row */
	uint64_t settled, now;	/* of the last intervals_show() */
	const volatile sig_atomic_t *stop;
};

/* Appends rows to b.  live: do not wait long for I/Os in flight.  Once *stop is
 * set, only the rows at the end are written.  0 or -ENOMEM. */
int intervals_init(struct intervals *i, const struct stat_options *o,
		   struct buf *b, const struct look *look, bool live,
		   const volatile sig_atomic_t *stop);

/* as series_watch_open() */
void intervals_watch_open(struct intervals *i, const struct depth_open *open);

/* Adds an I/O that ended, measured or not, with its bytes or its request's,
 * which count for reads and writes only.  0 or -ENOMEM. */
int intervals_add(struct intervals *i, const struct io *io, uint64_t bytes);

/* a request was in flight from..to; 0 or -ENOMEM */
int intervals_under_way(struct intervals *i, uint64_t from, uint64_t to);

/* another request may have been in flight since from */
void intervals_doubt(struct intervals *i, uint64_t from);

/* Writes the rows over at now; all I/Os started before settled have been added,
 * none that end after now.  Returns 1 if it wrote rows, 0, or -ENOMEM. */
int intervals_show(struct intervals *i, uint64_t settled, uint64_t now);

/* writes the remaining rows, up to the trace's end; 0 or -ENOMEM */
int intervals_end(struct intervals *i, uint64_t end);

/* accepts an all-zero struct */
void intervals_free(struct intervals *i);

#endif
