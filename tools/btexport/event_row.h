/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Rows of the table events: a row for each record of a trace as a reader hands
 * it out, nothing joined; only of the columns that are wanted.
 *
 * Numbers that do not fit are as io_row.h has them.
 */
#ifndef TOOLS_BTEXPORT_EVENT_ROW_H
#define TOOLS_BTEXPORT_EVENT_ROW_H

struct cell;			/* emit/row.h */
struct event;			/* record/record.h */
struct event_row;
struct naming;			/* tools/btexport/naming.h */
struct reader;			/* run/reader.h */

extern const struct row_table events_table;	/* tools/btexport/row_table.h */

/*
 * For so many columns of events_table, by their numbers, in this order, at
 * most ROW_COLUMNS.  r and n stay the caller's.  0 and *row, or -ENOMEM.
 */
int event_row_new(struct event_row **row, const struct reader *r,
		  struct naming *n, const unsigned int *columns,
		  unsigned int count);

/*
 * A cell for each column: good until the next call.  Every event that was read
 * is to be given, or those that are left out be told by event_row_skip().
 */
const struct cell *event_row_make(struct event_row *row,
				  const struct event *ev);
void event_row_skip(struct event_row *row);

/* frees row; NULL is fine */
void event_row_free(struct event_row *row);

#endif
