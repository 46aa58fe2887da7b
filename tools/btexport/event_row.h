/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Rows of the table events: one for each record that a reader returns, of the
 * selected columns.  Numbers that do not fit: see io_row.h.
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
 * columns: at most ROW_COLUMNS numbers of columns of events_table, in order.
 * r and n stay the caller's.  0 and *row, or -ENOMEM.
 */
int event_row_new(struct event_row **row, const struct reader *r,
		  struct naming *n, const unsigned int *columns,
		  unsigned int count);

/*
 * A cell for each column, until the next call.  Every event that was read must
 * be passed here, or counted by event_row_skip().
 */
const struct cell *event_row_make(struct event_row *row,
				  const struct event *ev);
void event_row_skip(struct event_row *row);

/* NULL is fine */
void event_row_free(struct event_row *row);

#endif
