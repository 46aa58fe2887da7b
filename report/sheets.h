/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A page's tables and sums by time as rows for other programs: a sheet each, in
 * any format of emit/row.h.
 */
#ifndef REPORT_SHEETS_H
#define REPORT_SHEETS_H

struct buf;			/* base/buf.h */
struct report_page;		/* report/page.h */
struct row_ops;			/* emit/row.h */

enum sheet {
	SHEET_SERIES,		/* each operation in each bin of time */
	SHEET_OPERATIONS,
	SHEET_PROCESSES,
	SHEET_DEVICES,
	SHEET_CGROUPS,
	SHEET_SLOWEST,
	SHEETS
};

/* "series", "operations", ... */
const char *sheet_name(enum sheet sheet);

/* appends a sheet's rows to b, which stores a write error; 0 or -ENOMEM */
int sheet_write(enum sheet sheet, const struct report_page *p,
		const struct row_ops *ops, struct buf *b);

#endif
