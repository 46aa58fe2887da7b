/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An exported table: its name and all its columns.
 *
 * New columns are added at the end, and a name never changes its meaning; else
 * ROW_TABLE_SCHEMA rises.  --schema, headings of files and doc/schema.md are
 * made from this.
 */
#ifndef TOOLS_BTEXPORT_ROW_TABLE_H
#define TOOLS_BTEXPORT_ROW_TABLE_H

#include <stddef.h>

struct column;			/* emit/row.h */

enum { ROW_TABLE_SCHEMA = 2, ROW_TABLE_SUMS = 2 };

struct row_table {
	const char *name;
	const char *words;	/* what a row is, in a line */
	const void *first;	/* starts with a struct column */
	size_t step;		/* bytes from there to the next */
	unsigned int count;
	/* columns of numbers whose sums verify rows; NULL: no more */
	const char *sums[ROW_TABLE_SUMS];
};

/* column n, from 0 */
static inline const struct column *row_table_column(const struct row_table *t,
						    unsigned int n)
{
	return (const struct column *)((const char *)t->first + n * t->step);
}

/* the number of the column named by len bytes, or -1 */
int row_table_find(const struct row_table *t, const char *name, size_t len);

#endif
