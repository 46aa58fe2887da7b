/* SPDX-License-Identifier: GPL-2.0-only */
/* The tables of a page, and what stands below them, as HTML. */
#ifndef EMIT_REPORT_TABLE_ROWS_H
#define EMIT_REPORT_TABLE_ROWS_H

struct buf;			/* base/buf.h */
struct report_page;		/* emit/report/page.h */

/* by operation, process, device, cgroup if any has one; the slowest */
void table_rows_write(const struct report_page *p, struct buf *b);

/* how much was read, kept, and could not be joined */
void table_rows_write_about(const struct report_page *p, struct buf *b);

#endif
