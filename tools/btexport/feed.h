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
#include "tools/btexport/covered.h"
#include "tools/btexport/latency.h"
#include "tools/btexport/wall.h"

struct event;			/* record/record.h */
struct event_row;		/* tools/btexport/event_row.h */
struct export_options;		/* tools/btexport/options.h */
struct facts;			/* stat/facts.h */
struct io;			/* request/io.h */
struct io_row;			/* tools/btexport/io_row.h */
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
	struct wall wall;
};

/* operands: the names that r reads; both stay the caller's.  0 or -ENOMEM */
int feed_init(struct feed *f, const struct export_options *o,
	      const struct reader *r, const struct operands *operands,
	      bool events);

/* now: the trace's time, for the age of I/Os in flight */
bool feed_io(struct feed *f, struct outputs *s, const struct io *io,
	     uint64_t now);

bool feed_event(struct feed *f, struct outputs *s, const struct event *ev);

/* after the last I/O */
bool feed_end(struct feed *f, struct outputs *s, const struct facts *facts);

/* an all-zero one is fine */
void feed_free(struct feed *f);

#endif
