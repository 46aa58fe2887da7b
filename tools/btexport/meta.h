/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The table meta: what is known of a trace as a whole, as keys and values, for
 * each host that is in it.
 *
 * schema: ROW_TABLE_SCHEMA.  tool: what made it.  host: as in the column.
 * trace: the names of it on the command line, with blanks between.
 * start_unix_ns and start: the time of day when time_ns is 0, or null.  end_ns:
 * time of the last event.  events: that were read, all hosts'.  ios: rows of
 * the table ios that there would be without a filter; open: of these without an
 * end.  dropped: events that the kernel says it lost; skipped: that numbers
 * show are missing.  missing: so many ios are missing at most beside, or are
 * not measured: btstat's.  devices: their numbers and names, as JSON.
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

/* one more io, whether it is wanted or not; 0 or -ENOMEM */
int meta_add(struct meta *m, const struct io *io);

/* what facts_find() wants of the ios so far: m's */
const struct coverages *meta_coverages(const struct meta *m);

/*
 * All has been read: makes the rows, which need none of f, n, o any more.
 * 0 or -ENOMEM.
 */
int meta_end(struct meta *m, const struct facts *f, struct naming *n,
	     const struct operands *o);

/* how many rows there are then, and the cells of one, from 0 on */
unsigned int meta_count(const struct meta *m);
const struct cell *meta_row(const struct meta *m, unsigned int row);

/* frees m; NULL is fine */
void meta_free(struct meta *m);

#endif
