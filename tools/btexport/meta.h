/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The table meta: keys and values about a trace, for each of its hosts.
 *
 * schema: ROW_TABLE_SCHEMA.  tool: the program and version.  host: as in the
 * column.  trace: its names on the command line, separated by blanks.
 * start_unix_ns and start: the time of day when time_ns is 0, or null.  end_ns:
 * time of the last event.  events: read, of all hosts.  ios: rows of the table
 * ios without a filter; open: those without an end.  dropped: dropped events;
 * skipped: missing sequence numbers.  missing: the most I/Os that are missing
 * or not measured, as in btstat.  devices: their numbers and names, as JSON.
 */
#ifndef TOOLS_BTEXPORT_META_H
#define TOOLS_BTEXPORT_META_H


#include "emit/row.h"

struct facts;			/* stat/facts.h */
struct io;			/* request/io.h */
struct meta;
struct naming;			/* tools/btexport/naming.h */
struct operands;		/* tools/btexport/operands.h */
struct coverages;		/* stat/coverage.h */

extern const struct row_table meta_table;	/* tools/btexport/row_table.h */

enum { META_COLUMNS = 4 };

/* 0 and *m, or -ENOMEM */
int meta_new(struct meta **m);

/* counts an I/O, whether a filter passes it or not; 0 or -ENOMEM */
int meta_add(struct meta *m, const struct io *io);

/* of the I/Os so far, for facts_find(); owned by m */
const struct coverages *meta_coverages(const struct meta *m);

/* makes the rows at the end, which keep nothing of f, n, o; 0 or -ENOMEM */
int meta_end(struct meta *m, const struct facts *f, struct naming *n,
	     const struct operands *o);

/* the number of rows after meta_end(), and the cells of one, from 0 */
unsigned int meta_count(const struct meta *m);
const struct cell *meta_row(const struct meta *m, unsigned int row);

/* NULL is fine */
void meta_free(struct meta *m);

#endif
