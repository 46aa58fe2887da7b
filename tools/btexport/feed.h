/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Makes rows of a run's I/Os and events: of those that are selected, now or at
 * the end.  Functions that return bool return false after a failure, which they
 * have reported.
 */
#ifndef TOOLS_BTEXPORT_FEED_H
#define TOOLS_BTEXPORT_FEED_H

#include <stdbool.h>
#include <stdint.h>

#include "expr/filter.h"
#include "tools/btexport/commit_row.h"
#include "tools/btexport/cache_row.h"
#include "tools/btexport/covered.h"
#include "tools/btexport/latency.h"
#include "tools/btexport/wall.h"

struct capacity;		/* capacity/capacity.h */
struct event;			/* record/record.h */
struct event_row;		/* tools/btexport/event_row.h */
struct export_options;		/* tools/btexport/options.h */
struct facts;			/* stat/facts.h */
struct io;			/* request/io.h */
struct io_row;			/* tools/btexport/io_row.h */
struct ios;			/* request/ios.h */
struct meta;			/* tools/btexport/meta.h */
struct naming;			/* tools/btexport/naming.h */
struct operands;		/* tools/btexport/operands.h */
struct outputs;			/* tools/btexport/outputs.h */
struct reader;			/* run/reader.h */

struct feed {
	const struct export_options *o;
	const struct reader *reader;
	const struct operands *operands;
	struct naming *naming;
	struct filter filter;
	struct meta *meta;	/* of all I/Os of the window */
	struct io_row *io_row;	/* NULL: not selected */
	struct event_row *event_row;	/* NULL: not selected */
	struct latency latency;
	struct covered covered;
	struct commit_rows commits;
	struct capacity *capacity;	/* NULL: not selected */
	struct cache_rows *caches;	/* NULL: not selected */
	bool has_all, has_sums;	/* tables of all I/Os; of sums of the selected */
	struct wall wall;
	bool timeless;		/* no time of day, whatever the reader says */
	int32_t segment;
};

/* operands: the names that r reads; both stay the caller's.  0 or -ENOMEM */
int feed_init(struct feed *f, const struct export_options *o,
	      const struct reader *r, const struct operands *operands,
	      bool events);

/* Before the first I/O, for the table commits; f stays where it is.  0 or -ENOMEM. */
int feed_watch(struct feed *f, struct ios *ios);

/* now: the trace's time, for the age of I/Os in flight */
bool feed_io(struct feed *f, struct outputs *s, const struct io *io,
	     uint64_t now);

bool feed_event(struct feed *f, struct outputs *s, const struct event *ev);

/* The time of day of time 0, if known, in place of the reader's; before rows. */
void feed_set_start(struct feed *f, bool known, int64_t start);

/* that time; false: unknown */
bool feed_start(struct feed *f, int64_t *start);

/* Rows from now on are of a segment. */
void feed_segment(struct feed *f, int32_t segment);

struct feed_span {
	uint64_t from, to;	/* ns of the run's time */
	bool last;		/* of the capture */
};

/* After a segment's last I/O.  Rows of the table latency are of its minutes that
 * are over; the last segment has all that are left. */
bool feed_segment_end(struct feed *f, struct outputs *s, const struct ios *ios,
		      const struct feed_span *span);

/* The same of a segment whose rows were made before a restart. */
bool feed_again(struct feed *f, const struct io *io);
void feed_again_end(struct feed *f, uint64_t to);

/* since when I/Os count in rows that are still to be made, in the run's time;
 * false: in none */
bool feed_oldest(struct feed *f, uint64_t *time);

/* after the last I/O of all */
bool feed_end(struct feed *f, struct outputs *s, const struct facts *facts);

/* an all-zero one is fine */
void feed_free(struct feed *f);

#endif
