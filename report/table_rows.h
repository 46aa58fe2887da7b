/* SPDX-License-Identifier: GPL-2.0-only */
/* The tables of a page, and the section about it, as HTML. */
#ifndef REPORT_TABLE_ROWS_H
#define REPORT_TABLE_ROWS_H

struct buf;			/* base/buf.h */
struct report_page;		/* report/page.h */
struct report_table_row;	/* report/tables.h */

enum { TABLE_ROW_VALUES = 13 };

/* by operation, process, device, cgroup if any; the slowest */
void table_rows_write(const struct report_page *p, struct buf *b);

/* counts of the trace, detail, machines */
void table_rows_write_about(const struct report_page *p, struct buf *b);

/*
 * Parts, for pages with other rows: a table's heads, with the caller's after
 * its name; its end; the numbers of a row, NAN if missing; the same as cells;
 * the cell of a share of the data; the table of I/O in flight at the end, if
 * any; that of the slowest; the terms about the trace, and about the page.
 */
void table_rows_begin(unsigned int kind, const char *heads, struct buf *b);
void table_rows_end(struct buf *b);
void table_rows_values(const struct report_page *p,
		       const struct report_table_row *row,
		       double values[TABLE_ROW_VALUES]);
void table_rows_numbers(const double values[TABLE_ROW_VALUES], struct buf *b);
void table_rows_share(const struct report_page *p,
		      const struct report_table_row *row, struct buf *b);
void table_rows_slowest(const struct report_page *p, const char *id,
			const char *caption, struct buf *b);
void table_rows_open(const struct report_page *p, const char *id,
		     const char *caption, struct buf *b);
void table_rows_counts(const struct report_page *p, struct buf *b);
void table_rows_made(const struct report_page *p, struct buf *b);

#endif
