/* SPDX-License-Identifier: GPL-2.0-only */
/* The tables of a page, and the section about it, as HTML. */
#ifndef REPORT_TABLE_ROWS_H
#define REPORT_TABLE_ROWS_H

struct buf;			/* base/buf.h */
struct report_page;		/* report/page.h */
struct report_pair;		/* report/pair.h */

/* by operation, process, device, cgroup if any; the slowest */
void table_rows_write(const struct report_page *p, struct buf *b);

/* counts of the trace, detail, machines */
void table_rows_write_about(const struct report_page *p, struct buf *b);

/* the same of a pair: three rows each (A, B, change); both sides' slowest */
void table_rows_write_pair(const struct report_pair *pair, struct buf *b);
void table_rows_write_pair_about(const struct report_pair *pair,
				 struct buf *b);

#endif
