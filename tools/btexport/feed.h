/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What becomes of an io or an event: whether it is wanted, and which rows it
 * makes, now or in the end.
 */
#ifndef TOOLS_BTEXPORT_FEED_H
#define TOOLS_BTEXPORT_FEED_H

#include <stdbool.h>
#include <stdint.h>

#include "expr/filter.h"
#include "tools/btexport/latency.h"
#include "tools/btexport/tables.h"
#include "tools/btexport/wall.h"

struct event;			/* record/record.h */
struct export_options;		/* tools/btexport/options.h */
struct facts;			/* stat/facts.h */
struct io;			/* request/io.h */
struct meta;			/* tools/btexport/meta.h */
struct naming;			/* tools/btexport/naming.h */
struct operands;		/* tools/btexport/operands.h */
struct output;			/* tools/btexport/output.h */
struct outputs;			/* tools/btexport/outputs.h */
struct reader;			/* run/reader.h */

struct feed {
	const struct export_options *o;
	const struct reader *reader;
	const struct operands *operands;
	struct naming *naming;
	struct filter filter;
	struct meta *meta;	/* of all ios of the window */
	struct io_row *io_row;	/* NULL: there is no such table */
	struct event_row *event_row;	/* the same */
	struct latency latency;
	struct wall wall;
};

/* of ios, or of events; operands is what r reads.  0 or -ENOMEM; r and operands
 * stay the caller's, and *f where it is. */
int feed_init(struct feed *f, const struct export_options *o,
	      const struct reader *r, const struct operands *operands,
	      bool events);

/* one more io, when ios that are open are as old as now says; or event.
 * Whether all went well; else it has been reported. */
bool feed_io(struct feed *f, struct outputs *s, const struct io *io,
	     uint64_t now);
bool feed_event(struct feed *f, struct outputs *s, const struct event *ev);

/* all ios have come: the tables about them as a whole.  The same. */
bool feed_end(struct feed *f, struct outputs *s, const struct facts *facts);

void feed_free(struct feed *f);

#endif
