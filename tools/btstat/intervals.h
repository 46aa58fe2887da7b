/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A row for each interval of time, printed as soon as it is over.
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
	bool any_q;		/* an io began with a Q */
	uint64_t from;		/* of the first row */
	uint64_t settled, now;	/* of the rows asked for so far */
	const volatile sig_atomic_t *stop;
};

/*
 * Rows go to b.  live: from a pipe, rows do not wait long for what is under
 * way.  When *stop is set no more rows are shown but those at the end, which
 * are some thousands at most.  0 or -ENOMEM.
 */
int intervals_init(struct intervals *i, const struct stat_options *o,
		   struct buf *b, const struct look *look, bool live,
		   const volatile sig_atomic_t *stop);

/* as series_watch_open() */
void intervals_watch_open(struct intervals *i, const struct depth_open *open);

/* An io that ended, and was measured or not.  bytes: its own, or those of its
 * request; only what is read or written counts.  0 or -ENOMEM. */
int intervals_add(struct intervals *i, const struct io *io, uint64_t bytes);

/* a request was under way; 0 or -ENOMEM */
int intervals_under_way(struct intervals *i, uint64_t from, uint64_t to);

/* from a moment on another one may have been */
void intervals_doubt(struct intervals *i, uint64_t from);

/*
 * Writes the rows that are over at now; all that began before settled were
 * added.  To be called before what ends later is added.  1: there were some;
 * 0; -ENOMEM.
 */
int intervals_show(struct intervals *i, uint64_t settled, uint64_t now);

/* writes those that are left, as the trace is over at end; 0 or -ENOMEM */
int intervals_end(struct intervals *i, uint64_t end);

/* an all-zero struct is fine */
void intervals_free(struct intervals *i);

#endif
